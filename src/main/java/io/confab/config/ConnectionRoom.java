package io.confab.config;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// How many connections of clients a process has room for.
///
/// @param descriptors that the process may have open, its own included
/// @param heap the most that the heap may take (`-Xmx`)
public record ConnectionRoom(long descriptors, long heap) {
  /// Descriptors that a node needs beside its connections to PostgreSQL: files, Redis, other nodes,
  /// monitoring, keys of outside issuers.
  private static final int OWN = 500;

  /// That watches whether PostgreSQL answers, and that settles what was lost.
  private static final int BESIDE = 2;

  /// What a connection takes in its first seconds, before anything of it is known to be good.
  private static final long CLEAR_BYTES = 16_384;

  private static final long TLS_BYTES = 65_536;

  /// That of this process.
  public static ConnectionRoom ofProcess() {
    return new ConnectionRoom(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : Long.MAX_VALUE,
        Runtime.getRuntime().maxMemory());
  }

  /// How many connections to PostgreSQL a node has at most, as docs/operations.md says.
  public static int toPostgres(Config config) {
    return config.postgres().readConnections()
        + config.postgres().changeConnections()
        + 2 * config.persistence().lanes() // plain and sealed
        + BESIDE;
  }

  /// The connections that the public listener may have.
  public int connections(Config config) {
    int own = OWN + toPostgres(config);
    long described = Math.max(descriptors - own, descriptors / 2);
    long held = heap / (config.http().tls().mode() == TlsMode.FILES ? TLS_BYTES : CLEAR_BYTES);
    return (int) Math.min(Integer.MAX_VALUE, Math.min(described, held));
  }
}
