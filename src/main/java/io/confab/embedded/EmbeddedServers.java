package io.confab.embedded;

import io.confab.postgres.PostgresUrl;
import java.util.Map;

/// Both embedded servers on one data folder.
public final class EmbeddedServers implements AutoCloseable {
  private final EmbeddedPostgres postgres;
  private final EmbeddedRedis redis;

  private EmbeddedServers(EmbeddedPostgres postgres, EmbeddedRedis redis) {
    this.postgres = postgres;
    this.redis = redis;
  }

  /// Answers when both take logins. The data folder stays open when this is closed.
  ///
  /// @throws EmbeddedServerException when one cannot be started; then none runs
  public static EmbeddedServers start(DataDir dataDir) {
    EmbeddedPostgres postgres = EmbeddedPostgres.start(dataDir);
    try {
      return new EmbeddedServers(postgres, EmbeddedRedis.start(dataDir));
    } catch (RuntimeException e) {
      postgres.close();
      throw e;
    }
  }

  public PostgresUrl postgres() {
    return postgres.url();
  }

  /// `redis://:password@127.0.0.1:port`.
  public String redis() {
    return redis.url();
  }

  /// By the names `postgres` and `redis`.
  public Map<String, ServerState> states() {
    return Map.of("postgres", postgres.state(), "redis", redis.state());
  }

  /// Stops Redis, then PostgreSQL, each within 25 s.
  @Override
  public void close() {
    try (postgres) {
      redis.close();
    }
  }
}
