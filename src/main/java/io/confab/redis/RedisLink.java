package io.confab.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps one connection to a Redis server: connects, notices the end, connects again with back-off.
///
/// The client does none of that by itself, and a server that is frozen accepts connections without
/// ever answering the greeting: so each attempt is a client of its own, bounded in time, and closed
/// with all it holds when it is of no use any more. Lives on one context, which is where all of its
/// methods must be called and where it calls its owner.
final class RedisLink {
  /// Who uses the connection.
  interface Owner {
    void up(RedisConnection connection);

    /// The connection of the last `up` is lost.
    void down();
  }

  private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

  private final Vertx vertx;
  private final Context context;
  private final RedisOptions options;
  private final Owner owner;
  private final RandomGenerator random = RandomGenerator.getDefault();

  private @Nullable Redis client;
  private boolean up;
  private boolean closed;
  private int failures;

  RedisLink(Vertx vertx, Context context, RedisUrl url, int inFlight, Owner owner) {
    this.vertx = vertx;
    this.context = context;
    this.options = options(url, inFlight);
    this.owner = owner;
  }

  private static RedisOptions options(RedisUrl url, int inFlight) {
    RedisOptions options =
        new RedisOptions()
            .setConnectionString(url.address())
            .setPreferredProtocolVersion(ProtocolVersion.RESP3)
            .setMaxWaitingHandlers(inFlight)
            .setMaxPoolSize(1)
            .setMaxPoolWaiting(1)
            .setPoolCleanerInterval(-1)
            .setNetClientOptions(
                new NetClientOptions()
                    .setTcpKeepAlive(true)
                    .setConnectTimeout((int) CONNECT_TIMEOUT.toMillis()));
    if (!url.password().isEmpty()) {
      options.setPassword(url.password());
    }
    if (!url.user().isEmpty()) {
      options.setUser(url.user());
    }
    return options;
  }

  /// Begins to connect; never gives up until `close`.
  void open() {
    if (closed) {
      return;
    }
    Redis attempt = Redis.createClient(vertx, options);
    client = attempt;
    attempt
        .connect()
        .timeout(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(
            connection -> onContext(() -> connected(attempt, connection)),
            failure -> onContext(() -> lost(attempt, String.valueOf(failure.getMessage()))));
  }

  private void connected(Redis attempt, RedisConnection connection) {
    if (attempt != client) {
      return;
    }
    connection.exceptionHandler(
        failure -> onContext(() -> lost(attempt, String.valueOf(failure.getMessage()))));
    connection.endHandler(end -> onContext(() -> lost(attempt, "closed by the server")));
    LOG.info("Connected to Redis");
    failures = 0;
    up = true;
    owner.up(connection);
  }

  /// Closes the connection, because of what its owner saw, and connects anew.
  void giveUp(String why) {
    if (client != null) {
      lost(client, why);
    }
  }

  private void lost(Redis attempt, String why) {
    if (attempt != client) {
      return;
    }
    client = null;
    attempt.close();
    failures++;
    if (up || failures == 1) {
      LOG.warn("Redis is away: {}", why);
    }
    vertx.setTimer(BACKOFF.delay(failures, random).toMillis(), timer -> onContext(this::open));
    if (up) {
      up = false;
      owner.down();
    }
  }

  /// Ends the connection and every attempt. The owner is not told.
  Future<Void> close() {
    closed = true;
    up = false;
    Redis last = client;
    client = null;
    return last == null ? Future.succeededFuture() : last.close();
  }

  private void onContext(Runnable work) {
    if (Vertx.currentContext() == context) {
      work.run();
    } else {
      context.runOnContext(turn -> work.run());
    }
  }
}
