package io.confab.embedded;

import io.confab.config.Config;
import io.confab.config.ConfigProblem;
import io.confab.config.ConnectionRoom;
import io.confab.config.InvalidConfigException;
import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.Secret;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisUrl;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The data folder, locked, and the PostgreSQL and Redis of a node: those that the configuration
/// names, and embedded ones where it names none.
public final class Servers implements AutoCloseable {
  private static final int LEAST_CONNECTIONS = 100;

  /// Of `confab` commands and people who look.
  private static final int CONNECTIONS_OF_TOOLS = 12;

  private final DataDir dataDir;
  private final Optional<EmbeddedServer<PostgresLogins>> embeddedPostgres;
  private final Optional<EmbeddedServer<String>> embeddedRedis;
  private final PostgresLogins postgres;
  private final RedisUrl redis;

  private Servers(
      DataDir dataDir,
      Config config,
      Optional<EmbeddedServer<PostgresLogins>> embeddedPostgres,
      Optional<EmbeddedServer<String>> embeddedRedis) {
    this.dataDir = dataDir;
    this.embeddedPostgres = embeddedPostgres;
    this.embeddedRedis = embeddedRedis;
    this.postgres =
        embeddedPostgres.map(EmbeddedServer::url).orElseGet(() -> external(config.postgres()));
    this.redis =
        redis(embeddedRedis.map(EmbeddedServer::url).orElseGet(() -> text(config.redis().url())));
  }

  /// Judges what the configuration says of the data folder and of servers, as the start does,
  /// without reaching them.
  ///
  /// @throws InvalidConfigException naming the key
  public static void check(Config config) {
    if (config.postgres().url().isPresent()) {
      checkFiles("postgres.url", external(config.postgres()).node());
      checkFiles("postgres.owner_url", external(config.postgres()).owner());
    }
    config.redis().url().ifPresent(url -> redis(url.value()));
    DataDir.fault(config.dataDir())
        .ifPresent(
            fault -> {
              throw new InvalidConfigException(
                  List.of(new ConfigProblem("data_dir", null, fault, config.dataDir().toString())));
            });
  }

  private static void checkFiles(String key, PostgresUrl url) {
    read(
        key,
        () -> {
          url.requireFiles();
          return url;
        });
  }

  private static PostgresLogins external(Config.Postgres config) {
    PostgresUrl node = postgres("postgres.url", config.url());
    return config.ownerUrl().isEmpty()
        ? PostgresLogins.of(node)
        : new PostgresLogins(postgres("postgres.owner_url", config.ownerUrl()), node);
  }

  private static PostgresUrl postgres(String key, Optional<Secret> url) {
    return read(key, () -> PostgresUrl.parse(text(url)));
  }

  private static RedisUrl redis(String text) {
    return read("redis.url", () -> RedisUrl.parse(text));
  }

  private static <U> U read(String key, Supplier<U> url) {
    try {
      return url.get();
    } catch (IllegalArgumentException wrong) {
      throw new InvalidConfigException(
          List.of(
              new ConfigProblem(key, null, String.valueOf(wrong.getMessage()), "value hidden")));
    }
  }

  private static String text(Optional<Secret> url) {
    return url.map(Secret::value).orElseThrow();
  }

  /// Blocks until the servers take logins.
  public static Servers open(Config config) {
    return open(config, 1);
  }

  /// The same with room for several nodes.
  ///
  /// @param nodes that an embedded PostgreSQL has connections for
  public static Servers open(Config config, int nodes) {
    int connections =
        Math.max(
            LEAST_CONNECTIONS, nodes * (ConnectionRoom.toPostgres(config) + CONNECTIONS_OF_TOOLS));
    DataDir dataDir = DataDir.open(config.dataDir());
    Optional<EmbeddedServer<PostgresLogins>> postgres = Optional.empty();
    Optional<EmbeddedServer<String>> redis = Optional.empty();
    try {
      // Redis comes up while PostgreSQL does, which takes longer.
      if (config.redis().url().isEmpty()) {
        RedisKeys keys = new RedisKeys(config.redis().keyPrefix());
        redis = Optional.of(EmbeddedRedis.begin(dataDir, keys));
      }
      if (config.postgres().url().isEmpty()) {
        postgres = Optional.of(EmbeddedPostgres.start(dataDir, connections));
      }
      redis.ifPresent(EmbeddedServer::awaitStart);
      return new Servers(dataDir, config, postgres, redis);
    } catch (RuntimeException failure) {
      redis.ifPresent(EmbeddedServer::close);
      postgres.ifPresent(EmbeddedServer::close);
      dataDir.close();
      throw failure;
    }
  }

  public DataDir dataDir() {
    return dataDir;
  }

  public PostgresLogins postgres() {
    return postgres;
  }

  public RedisUrl redis() {
    return redis;
  }

  /// The state of the embedded PostgreSQL; empty for an external one.
  public Optional<ServerState> postgresState() {
    return embeddedPostgres.map(EmbeddedServer::state);
  }

  public Optional<ServerState> redisState() {
    return embeddedRedis.map(EmbeddedServer::state);
  }

  @Override
  public void close() {
    embeddedRedis.ifPresent(EmbeddedServer::close);
    embeddedPostgres.ifPresent(EmbeddedServer::close);
    dataDir.close();
  }
}
