package io.confab.testing;

import io.confab.config.Config;
import io.confab.config.NodeRole;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/// Parts of a configuration for tests: small costs, short limits.
public final class TestConfig {
  private TestConfig() {}

  public static Config.Postgres postgres() {
    return new Config.Postgres(
        Optional.empty(), 4, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(3));
  }

  public static Config.Redis redis(String keyPrefix) {
    return new Config.Redis(
        Optional.empty(), keyPrefix, Duration.ofSeconds(2), 200, Duration.ofMinutes(10));
  }

  public static Config.Accounts accounts() {
    return new Config.Accounts(
        true,
        new Config.Argon2(64, 1, 1, 2),
        Duration.ofMinutes(15),
        Duration.ofDays(60),
        Duration.ofSeconds(30),
        List.of());
  }

  public static Config.Persistence persistence() {
    return new Config.Persistence(2, 200, 10_000, Duration.ofSeconds(5));
  }

  public static Config.Limits limits() {
    return new Config.Limits(16_384, 262_144, 1_000, 1_000, 1_000, 5_000);
  }

  public static Config.Sockets sockets() {
    return new Config.Sockets(
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        Duration.ofSeconds(30),
        8_192,
        65_536,
        Duration.ofSeconds(10),
        256,
        49_152,
        Duration.ofSeconds(10),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5));
  }

  /// A whole node on free ports, alone.
  public static Config node(Path dataDir) {
    return new Config(
        dataDir,
        new Config.Node(Optional.empty(), EnumSet.allOf(NodeRole.class)),
        new Config.Http(
            "127.0.0.1", 0, 2, Duration.ofMinutes(1), Duration.ofSeconds(10), List.of()),
        new Config.Management("127.0.0.1", 0),
        postgres(),
        redis(""),
        new Config.Cluster(false, "127.0.0.1", 0, List.of()),
        sockets(),
        new Config.Routing(2),
        persistence(),
        new Config.Presence(1),
        accounts(),
        limits());
  }
}
