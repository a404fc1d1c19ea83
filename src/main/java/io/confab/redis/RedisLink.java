package io.confab.redis;

import io.confab.time.Backoff;
import io.confab.time.Ticks;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps one connection to a Redis server: connects, notices the end, connects again with
/// back-off, and follows the server when its locator finds it elsewhere.
///
/// The client does none of that by itself, and a server that is frozen accepts connections
/// without ever answering the greeting: so each attempt is a client of its own, bounded in
/// time, and closed with all it holds when it is of no use any more. Lives on one context,
/// which is where all of its methods must be called and where it calls its owner.
final class RedisLink {
  /// The user of the connection.
  interface Owner {
    void up(RedisConnection connection);

    /// The connection of the last `up` is lost.
    void down();
  }

  private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
  private static final Duration ATTEMPT_TIMEOUT =
      RedisLogin.CONNECT_TIMEOUT.plus(Duration.ofSeconds(1));
  private static final Duration RECHECK = Duration.ofSeconds(2);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final Vertx vertx;
  private final Context context;
  private final RedisLogin login;
  private final int inFlight;
  private final ServerLocator locator;
  private final Owner owner;
  private final Ticks rechecks;
  private final Backoff backoff =
      new Backoff(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault());

  private @Nullable Attempt current;
  private boolean up;
  private boolean closed;
  private int failures;

  RedisLink(
      Vertx vertx,
      Context context,
      RedisLogin login,
      int inFlight,
      ServerLocator locator,
      Owner owner) {
    this.vertx = vertx;
    this.context = context;
    this.login = login;
    this.inFlight = inFlight;
    this.locator = locator;
    this.owner = owner;
    this.rechecks = new Ticks(vertx, RECHECK, () -> onContext(this::recheck));
  }

  /// Begins to connect; never gives up until `close`.
  void open() {
    rechecks.start();
    connect();
  }

  private void connect() {
    if (closed) {
      return;
    }
    Attempt attempt = new Attempt();
    current = attempt;
    here(locator.locate())
        .compose(attempt::connect)
        .compose(connection -> locator.check(connection).map(connection))
        .timeout(ATTEMPT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(
            connection -> onContext(() -> connected(attempt, connection)),
            failure -> onContext(() -> lost(attempt, String.valueOf(failure.getMessage()))));
  }

  private void connected(Attempt attempt, RedisConnection connection) {
    if (attempt != current) {
      return;
    }
    connection.exceptionHandler(
        failure -> {
          LOG.debug("A connection to Redis failed", failure);
          onContext(() -> lost(attempt, String.valueOf(failure.getMessage())));
        });
    connection.endHandler(end -> onContext(() -> lost(attempt, "closed by the server")));
    LOG.info("Connected to Redis at {}", attempt.server);
    failures = 0;
    up = true;
    owner.up(connection);
    recheck(); // a server that was frozen may have been replaced while it was waited for
  }

  /// Looks whether the server is still where the connection leads; if not, gives it up.
  void recheck() {
    Attempt attempt = current;
    if (up && attempt != null) {
      here(locator.locate())
          .onSuccess(
              server -> {
                if (attempt == current && !server.equals(attempt.server)) {
                  giveUp("the master is " + server + " now");
                }
              });
    }
  }

  /// Closes the connection, because of what its owner saw, and connects anew.
  void giveUp(String why) {
    if (current != null) {
      lost(current, why);
    }
  }

  private void lost(Attempt attempt, String why) {
    if (attempt != current) {
      return;
    }
    current = null;
    attempt.end();
    if (up || failures == 0) {
      LOG.warn("Redis is away{}: {}", attempt.at(), RedisLogin.explain(why));
    }
    long pause = Math.max(1, backoff.delay(failures++).toMillis());
    vertx.setTimer(pause, _ -> onContext(this::connect));
    if (up) {
      up = false;
      owner.down();
    }
  }

  /// Ends the connection and every attempt. The owner is not notified.
  Future<Void> close() {
    closed = true;
    up = false;
    rechecks.stop();
    Attempt last = current;
    current = null;
    return last == null ? Future.succeededFuture() : last.end();
  }

  /// The same future, completed on the context.
  private <T> Future<T> here(Future<T> future) {
    Promise<T> promise = Promise.promise();
    future.onComplete(answer -> onContext(() -> promise.handle(answer)));
    return promise.future();
  }

  private void onContext(Runnable work) {
    if (Vertx.currentContext() == context) {
      work.run();
    } else {
      context.runOnContext(turn -> work.run());
    }
  }

  /// One try, and the connection that came of it.
  private final class Attempt {
    private @Nullable RedisServer server;
    private @Nullable Redis client;
    private boolean ended;

    Future<RedisConnection> connect(RedisServer to) {
      if (ended) {
        return Future.failedFuture("it took too long to find the server");
      }
      server = to;
      client = Redis.createClient(vertx, login.options(to, inFlight));
      return client.connect();
    }

    Future<Void> end() {
      ended = true;
      return client == null ? Future.succeededFuture() : client.close();
    }

    String at() {
      return server == null ? "" : " at " + server;
    }
  }
}
