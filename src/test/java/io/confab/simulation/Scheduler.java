package io.confab.simulation;

import java.util.PriorityQueue;

/// The only thread and the only time of a history: what is due first runs first, and what is due
/// at the same moment in the order in which it was asked for.
final class Scheduler {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;

  /// No history comes near it.
  private static final long MOST_STEPS = 2_000_000;

  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long now;
  private long asked;
  private long steps;

  private record Task(long at, long order, Runnable action) implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
    }
  }

  long nanos() {
    return now;
  }

  long millis() {
    return now / MILLI;
  }

  long steps() {
    return steps;
  }

  void at(long nanos, Runnable action) {
    tasks.add(new Task(Math.max(now, nanos), asked++, action));
  }

  void after(long nanos, Runnable action) {
    at(now + nanos, action);
  }

  /// Runs what is due up to this time.
  void runUntil(long nanos) {
    while (!tasks.isEmpty() && tasks.peek().at() <= nanos) {
      Task task = tasks.remove();
      now = task.at();
      if (++steps > MOST_STEPS) {
        throw new IllegalStateException("it never ends");
      }
      task.action().run();
    }
    now = nanos;
  }
}
