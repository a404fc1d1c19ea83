package io.confab;

import io.confab.config.Config;
import io.confab.config.NodeRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/// Finds out that a port is taken before anything is started. Somebody may still take it in
/// between; then the listener says so.
final class FreePorts {
  private FreePorts() {}

  /// @throws UncheckedIOException naming the key, and the option of `serve`
  static void require(Config config) {
    if (config.node().roles().contains(NodeRole.SOCKETS)
        || config.node().roles().contains(NodeRole.HTTP)) {
      require("http.port (--port)", config.http().host(), config.http().port());
    }
    require(
        "management.port (--management-port)",
        config.management().host(),
        config.management().port());
  }

  private static void require(String key, String host, int port) {
    if (port == 0) {
      return; // any that is free
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(host, port));
    } catch (IOException taken) {
      throw new UncheckedIOException(
          new IOException(
              "%s: nothing can listen on port %d of %s: %s"
                  .formatted(key, port, host, taken.getMessage()),
              taken));
    }
  }
}
