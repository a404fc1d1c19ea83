package io.confab.feed;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/// The way of events and signals to one event loop, from any thread; bounded in bytes while they
/// wait for their turn on it.
public final class Handover {
  private final Executor loop;
  private final long most;
  private final AtomicLong waiting = new AtomicLong();

  /// @param loop runs what it is given one after the other, never at once
  /// @param most bytes that wait; something larger goes alone
  public Handover(Executor loop, long most) {
    this.loop = loop;
    this.most = most;
  }

  /// Runs the task on the loop, unless too much waits there already.
  ///
  /// @param bytes that the task keeps in memory until it has run
  public boolean offer(long bytes, Runnable task) {
    long before = waiting.getAndAdd(bytes);
    if (before > 0 && before + bytes > most) {
      waiting.addAndGet(-bytes);
      return false;
    }
    loop.execute(
        () -> {
          try {
            task.run();
          } finally {
            waiting.addAndGet(-bytes);
          }
        });
    return true;
  }

  /// Runs on the loop what keeps next to nothing in memory, such as a reminder to look at a room.
  public void execute(Runnable task) {
    loop.execute(task);
  }
}
