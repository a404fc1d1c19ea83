package io.confab.redis;

import io.confab.time.AwakeTime;
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
/// An answer that came while this node slept is read after the look at which it woke: so a command
/// has one look more than fit into its time-out, and a sleep counts as one.
final class Pipeline {
  private static final int LOOKS = 8;

  private final RedisConnection connection;
  private final LongSupplier nanoTime;
  private final AwakeTime awake;
  private final long timeoutNanos;
  private final Deque<Long> sentAt = new ArrayDeque<>();

  /// @param timeout of each command
  Pipeline(RedisConnection connection, Duration timeout, LongSupplier nanoTime) {
    this.connection = connection;
    this.nanoTime = nanoTime;
    this.awake = new AwakeTime(period(timeout), nanoTime.getAsLong());
    this.timeoutNanos = timeout.plus(period(timeout)).toNanos();
  }

  /// How often to look whether a command is overdue.
  static Duration period(Duration timeout) {
    return timeout.dividedBy(LOOKS);
  }

  Future<Response> send(Request request) {
    Long at = asked();
    return connection.send(request).onComplete(_ -> sentAt.removeFirstOccurrence(at));
  }

  /// Writes all of them at once.
  Future<List<Response>> batch(List<Request> requests) {
    Long at = asked();
    return connection.batch(requests).onComplete(_ -> sentAt.removeFirstOccurrence(at));
  }

  /// What the client refuses at once was not the oldest.
  private Long asked() {
    Long at = awake.at(nanoTime.getAsLong());
    sentAt.add(at);
    return at;
  }

  /// To be called once a [#period].
  boolean isOverdue() {
    long now = awake.look(nanoTime.getAsLong());
    Long oldest = sentAt.peek();
    return oldest != null && now - oldest > timeoutNanos;
  }
}
