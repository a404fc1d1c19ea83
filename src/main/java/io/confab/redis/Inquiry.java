package io.confab.redis;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Asks servers how things stand, each time over a connection of its own, so that no answer is late
/// because of an earlier question. Bounded in time.
record Inquiry(Vertx vertx, RedisLogin login) {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final int IN_FLIGHT = 4;

  /// The answers to all requests; fails if there is an error among them.
  Future<List<Response>> ask(RedisServer server, Request... requests) {
    Redis client = Redis.createClient(vertx, login.options(server, IN_FLIGHT));
    return client
        .connect()
        .compose(connection -> connection.batch(List.of(requests)))
        .timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(answers -> client.close());
  }
}
