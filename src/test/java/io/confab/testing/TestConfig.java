package io.confab.testing;

import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.config.Rate;
import io.confab.config.TlsMode;
import io.confab.protocol.Secret;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Parts of a configuration for tests: small costs, short limits.
public final class TestConfig {
  private static final Rate MANY = new Rate(10_000, Duration.ofSeconds(1), 100_000);

  private TestConfig() {}

  /// With time-outs that are not reached; a test of one sets its own.
  public static Config.Postgres postgres() {
    return postgres(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(20));
  }

  public static Config.Postgres postgres(Duration connect, Duration statement, Duration lock) {
    return new Config.Postgres(Optional.empty(), Optional.empty(), 4, 2, connect, statement, lock);
  }

  public static Config.Redis redis(String keyPrefix) {
    return new Config.Redis(
        Optional.empty(),
        keyPrefix,
        Duration.ofSeconds(2),
        200,
        262_144,
        1 << 26,
        Duration.ofMinutes(10));
  }

  public static Config.Accounts accounts() {
    return new Config.Accounts(
        true,
        true,
        new Config.Argon2(64, 1, 1, 2),
        Duration.ofMinutes(15),
        Duration.ofDays(60),
        Duration.ofSeconds(30),
        Duration.ofDays(30),
        List.of());
  }

  public static Config.Persistence persistence() {
    return new Config.Persistence(2, 200, 10_000, Duration.ofSeconds(5), Duration.ZERO);
  }

  public static Config.Limits limits() {
    return new Config.Limits(16_384, 262_144, 4_194_304, 1_000, 1_000, 1_000, 5_000);
  }

  public static Config.Keys keys() {
    return new Config.Keys(4_096, 1_024, 65_536, 10, 100, 20, 5);
  }

  public static Config.Retention retention() {
    return new Config.Retention(
        Duration.ofDays(30), Duration.ofDays(400), Duration.ofDays(60), Duration.ofDays(7));
  }

  public static Config.Queues queues() {
    return queues(10_000, Duration.ofDays(30), Duration.ofDays(30));
  }

  /// With usual bounds of delivery.
  public static Config.Queues queues(int depth, Duration retention, Duration dormantAfter) {
    return new Config.Queues(depth, retention, dormantAfter, 256, Duration.ofSeconds(3));
  }

  /// More than any test needs, but for the given ones.
  ///
  /// @param others by component of the record
  public static Config.Rates rates(Map<String, Rate> others) {
    Object[] rates =
        Arrays.stream(Config.Rates.class.getRecordComponents())
            .map(limit -> others.getOrDefault(limit.getName(), MANY))
            .toArray();
    try {
      return (Config.Rates) Config.Rates.class.getDeclaredConstructors()[0].newInstance(rates);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
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

  /// On loopback, without TLS.
  public static Config.Cluster cluster(boolean enabled, int port, List<String> members) {
    return cluster(enabled, port, members, Optional.empty());
  }

  /// On loopback.
  ///
  /// @param tls folder with `node.crt`, `node.key` and `ca.crt`
  public static Config.Cluster cluster(
      boolean enabled, int port, List<String> members, Optional<Path> tls) {
    return new Config.Cluster(
        enabled,
        "127.0.0.1",
        port,
        0,
        members,
        false,
        new Config.ClusterTls(
            tls.map(folder -> folder.resolve("node.crt")),
            tls.map(folder -> folder.resolve("node.key")),
            tls.map(folder -> folder.resolve("ca.crt"))));
  }

  /// The same with one value changed.
  ///
  /// @param path as in `conf/confab.yaml`, such as `http.idle_timeout`
  /// @param value as the component of the record holds it
  public static Config with(Config base, String path, Object value) {
    return (Config) with(base, List.of(path.split("\\.", -1)), value);
  }

  private static Object with(Object part, List<String> path, Object value) {
    if (path.isEmpty()) {
      return value;
    }
    RecordComponent[] components = part.getClass().getRecordComponents();
    if (Arrays.stream(components).map(TestConfig::key).noneMatch(path.getFirst()::equals)) {
      throw new IllegalArgumentException(part.getClass() + " has no " + path.getFirst());
    }
    try {
      Object[] values = new Object[components.length];
      for (int i = 0; i < values.length; i++) {
        Object present = components[i].getAccessor().invoke(part);
        boolean other = key(components[i]).equals(path.getFirst());
        values[i] = other ? with(present, path.subList(1, path.size()), value) : present;
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return part.getClass().getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String key(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /// The same with time-outs that a machine which stands still for seconds does not reach. A test
  /// of one of them sets it anew.
  public static Config patient(Config base) {
    Config patient = base;
    for (String path :
        List.of(
            "http.request_timeout",
            "redis.command_timeout",
            "persistence.wait_limit",
            "sockets.hello_timeout",
            "sockets.beat_timeout",
            "sockets.stall_timeout")) {
      patient = with(patient, path, Duration.ofMinutes(1));
    }
    return patient;
  }

  /// The same on other servers.
  public static Config onServers(Config base, String postgres, String redis) {
    return with(
        with(base, "postgres.url", Optional.of(new Secret(postgres))),
        "redis.url",
        Optional.of(new Secret(redis)));
  }

  /// A whole node on free ports, alone.
  public static Config node(Path dataDir) {
    return new Config(
        dataDir,
        new Config.Node(Optional.empty(), EnumSet.allOf(NodeRole.class)),
        new Config.Http(
            "127.0.0.1",
            0,
            2,
            Duration.ofMinutes(1),
            Duration.ofSeconds(10),
            0,
            0,
            List.of(),
            List.of(),
            List.of(),
            "x-forwarded-for",
            false,
            new Config.ListenerTls(TlsMode.NONE, Optional.empty(), Optional.empty())),
        new Config.Management("127.0.0.1", 0),
        postgres(),
        redis(""),
        cluster(false, 0, List.of()),
        sockets(),
        new Config.Routing(2),
        persistence(),
        new Config.Presence(1),
        accounts(),
        limits(),
        keys(),
        queues(),
        retention(),
        rates(Map.of()),
        Optional.empty());
  }
}
