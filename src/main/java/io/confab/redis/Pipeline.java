package io.confab.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// The commands under way on one connection, which answers in the order of asking: so the oldest
/// alone tells whether it is stuck. Used on the connection's context only.
final class Pipeline {
  private final RedisConnection connection;
  private final Deque<Long> sentAt = new ArrayDeque<>();

  Pipeline(RedisConnection connection) {
    this.connection = connection;
  }

  Future<Response> send(Request request) {
    sentAt.add(System.nanoTime());
    return connection.send(request).onComplete(answer -> sentAt.poll());
  }

  /// Writes all of them at once.
  Future<List<Response>> batch(List<Request> requests) {
    sentAt.add(System.nanoTime());
    return connection.batch(requests).onComplete(answers -> sentAt.poll());
  }

  boolean isOverdue(Duration timeout) {
    Long oldest = sentAt.peek();
    return oldest != null && System.nanoTime() - oldest > timeout.toNanos();
  }
}
