package io.confab.redis;

import io.confab.time.Wakefulness;
import io.vertx.core.Future;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/// The commands under way on one connection, which answers in the order of asking: so the oldest
/// alone tells whether it is stuck. Used on the connection's context only.
///
/// An answer that came while this node slept is read after the look that notices the sleep: so
/// that look judges nothing, and the time-out begins anew.
final class Pipeline {
  private final RedisConnection connection;
  private final LongSupplier nanoTime;
  private final long timeoutNanos;
  private final Wakefulness wakefulness;
  private final Deque<Long> sentAt = new ArrayDeque<>();
  private long awakeSince;

  /// @param timeout of each command
  Pipeline(RedisConnection connection, Duration timeout, LongSupplier nanoTime) {
    this.connection = connection;
    this.nanoTime = nanoTime;
    this.timeoutNanos = timeout.toNanos();
    this.awakeSince = nanoTime.getAsLong();
    this.wakefulness = new Wakefulness(timeout.dividedBy(2), awakeSince);
  }

  Future<Response> send(Request request) {
    sentAt.add(nanoTime.getAsLong());
    return connection.send(request).onComplete(answer -> sentAt.poll());
  }

  /// Writes all of them at once.
  Future<List<Response>> batch(List<Request> requests) {
    sentAt.add(nanoTime.getAsLong());
    return connection.batch(requests).onComplete(answers -> sentAt.poll());
  }

  /// To be called at least four times in a time-out.
  boolean isOverdue() {
    long now = nanoTime.getAsLong();
    if (wakefulness.slept(now)) {
      awakeSince = now;
    }
    Long oldest = sentAt.peek();
    return oldest != null && Math.min(now - oldest, now - awakeSince) > timeoutNanos;
  }
}
