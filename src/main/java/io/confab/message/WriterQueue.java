package io.confab.message;

import io.confab.config.Config;
import io.confab.protocol.Refusal;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// What waits for a writer, in the order in which it came; bounded in number and in time.
final class WriterQueue {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

  private final Config.Persistence limits;
  private final Timing timing;
  private final Deque<Entry> entries = new ArrayDeque<>();
  private boolean watching;

  /// A message that waits, and who waits for its answer.
  ///
  /// @param since when it came, in the nanoseconds of [Timing]
  record Entry(Draft draft, Promise<Sent> answer, long since) {
    void refuse(String why) {
      answer.tryFail(Refusal.unavailable(why));
    }
  }

  WriterQueue(Config.Persistence limits, Timing timing) {
    this.limits = limits;
    this.timing = timing;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  boolean isFull() {
    return entries.size() >= limits.queueRows();
  }

  /// Adds a message; its answer fails with `unavailable` once it has waited too long.
  void add(Draft draft, Promise<Sent> answer) {
    entries.add(new Entry(draft, answer, timing.nanoTime()));
    watch();
  }

  /// Takes out what goes next, at most a group.
  List<Entry> take() {
    List<Entry> group = new ArrayList<>(Math.min(entries.size(), limits.groupRows()));
    while (!entries.isEmpty() && group.size() < limits.groupRows()) {
      group.add(entries.remove());
    }
    return group;
  }

  void refuseAll(String why) {
    entries.forEach(entry -> entry.refuse(why));
    entries.clear();
  }

  /// Refuses who waited too long, without a timer for each.
  private void watch() {
    Entry oldest = entries.peek();
    if (watching || oldest == null) {
      return;
    }
    watching = true;
    long left = limits.waitLimit().toNanos() - (timing.nanoTime() - oldest.since());
    timing
        .pause(Duration.ofNanos(Math.max(left, SHORTEST_PAUSE.toNanos())))
        .onComplete(
            _ -> {
              watching = false;
              expire();
              watch();
            });
  }

  private void expire() {
    long now = timing.nanoTime();
    while (!entries.isEmpty() && now - entries.element().since() >= limits.waitLimit().toNanos()) {
      entries.remove().refuse("waited too long for the database");
    }
  }
}
