package io.confab.chaos;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// The end of a node at a crash point: compiled beside the changed classes of [CrashPoint], and
/// called by nothing else. A process dies at most once: at the point and the pass through it which
/// properties say.
public final class Halt {
  static final String POINT = "confab.crash.point";
  static final String PASS = "confab.crash.pass";
  static final int CODE = 137;

  private static final AtomicInteger PASSES = new AtomicInteger();

  private Halt() {}

  /// Ends the process, if this is the pass.
  public static void here(String point) {
    here(point, 0);
  }

  /// As above, after the thread stood still for up to so long while all others went on.
  public static void here(String point, int mostMillis) {
    if (isDue(point)) {
      LockSupport.parkNanos(spread(0, mostMillis));
      end(point);
    }
  }

  /// Whether this is the pass: then the caller goes no further, and the process ends soon, while
  /// all others go on.
  public static boolean soon(String point, int leastMillis, int mostMillis) {
    boolean due = isDue(point);
    if (due) {
      long nanos = spread(leastMillis, mostMillis);
      Thread.ofPlatform()
          .start(
              () -> {
                LockSupport.parkNanos(nanos);
                end(point);
              });
    }
    return due;
  }

  private static boolean isDue(String point) {
    return point.equals(System.getProperty(POINT))
        && PASSES.incrementAndGet() == Integer.getInteger(PASS, 1);
  }

  private static long spread(int leastMillis, int mostMillis) {
    return ThreadLocalRandom.current()
        .nextLong(
            TimeUnit.MILLISECONDS.toNanos(leastMillis),
            TimeUnit.MILLISECONDS.toNanos(mostMillis) + 1);
  }

  private static void end(String point) {
    System.err.println(trace(point));
    System.err.flush();
    Runtime.getRuntime().halt(CODE);
  }

  /// What a node that died at a point says last.
  static String trace(String point) {
    return "halted at " + point;
  }
}
