package io.confab.terminal;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// The tasks that wait for the thread of a chat: for what is typed, for updates, and for notices of
/// the connection.
///
/// Updates beyond the bound are left out and counted; the input waits. Notices have a queue of
/// their own: the thread also looks at them while it does not take the rest.
final class ChatQueue {
  private static final int MOST = 10_000;

  /// Places that updates leave free for rare tasks that must not be missed.
  private static final int KEPT_FROM_UPDATES = 100;

  private static final int MOST_NOTICES = 100;
  private static final int LINES_AHEAD = 16;

  private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>(MOST);
  private final BlockingQueue<Runnable> notices = new LinkedBlockingQueue<>(MOST_NOTICES);
  private final Semaphore linesAhead = new Semaphore(LINES_AHEAD);
  private final AtomicInteger leftOut = new AtomicInteger();

  /// A task that must not be missed.
  void add(Runnable task) {
    queue.add(task);
  }

  /// A task that is left out when too many wait.
  void update(Runnable task) {
    if (queue.remainingCapacity() < KEPT_FROM_UPDATES) {
      leftOut.incrementAndGet();
    } else {
      queue.add(task);
    }
  }

  /// A task for typed input; waits while too many of them are not done.
  void typed(Runnable task) throws InterruptedException {
    linesAhead.acquire();
    queue.put(
        () -> {
          task.run();
          linesAhead.release();
        });
  }

  /// A notice of the connection; when too many wait, the oldest are dropped.
  void notice(Runnable task) {
    while (!notices.offer(task)) {
      notices.poll();
    }
  }

  /// Runs the next task, if one comes within this time.
  void runNext(Duration limit) throws InterruptedException {
    Runnable next = queue.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    if (next != null) {
      next.run();
    }
  }

  void runAll() {
    runAll(queue);
  }

  void runNotices() {
    runAll(notices);
  }

  private static void runAll(BlockingQueue<Runnable> tasks) {
    for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
      next.run();
    }
  }

  /// How many updates were left out since the last call.
  int takeLeftOut() {
    return leftOut.getAndSet(0);
  }
}
