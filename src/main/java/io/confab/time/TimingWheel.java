package io.confab.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All time-outs of one event loop: a hashed wheel (Varghese and Lauck, 1987, scheme 6).
/// Beginning and ending a time-out costs the same however many there are; one driver, which may
/// sleep while nothing is due ([#sleep]), turns it for them all. Belongs to its loop.
///
/// Nothing runs early; what is due runs in the tick after. Time-outs of a second and more end
/// together with others, up to ten ticks later, so that the loop wakes once for them. The wheel
/// has its own time: when it has not been driven for long, because the process was stopped or
/// starved, only a part of that passes on it. Messages of peers could not arrive meanwhile, so
/// that time does not count as their silence.
public final class TimingWheel implements Timers {
  private static final Logger LOG = LoggerFactory.getLogger(TimingWheel.class);

  /// Most of its time that passes at once.
  private static final Duration LEAP = Duration.ofSeconds(1);

  /// Time-outs that are longer are rounded up …
  private static final Duration LONG = Duration.ofSeconds(1);

  /// … to so many ticks.
  private static final int TOGETHER = 10;

  private final LongSupplier nanoTime;
  private final long tickNanos;
  private final long leapTicks;
  private final Timeout[] slots;
  private long ticks;
  private long tickedAt;
  private long wakes = Long.MIN_VALUE;
  private Runnable wake = () -> {};

  /// @param tick how exact it is; [#advance] is to be called about as often
  public TimingWheel(Duration tick, int slots, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.tickNanos = tick.toNanos();
    this.leapTicks = Math.max(1, LEAP.toNanos() / tickNanos);
    this.slots = new Timeout[slots];
    for (int i = 0; i < slots; i++) {
      this.slots[i] = new Timeout(0, () -> {});
    }
    this.tickedAt = nanoTime.getAsLong();
  }

  /// Something that will be done, unless it is cancelled.
  public static final class Timeout {
    private final long due;
    private final Runnable action;
    private Timeout before = this;
    private Timeout after = this;

    private Timeout(long due, Runnable action) {
      this.due = due;
      this.action = action;
    }

    /// Does nothing once it has run.
    public void cancel() {
      before.after = after;
      after.before = before;
      before = this;
      after = this;
    }

    private void linkBefore(Timeout head) {
      before = head.before;
      after = head;
      before.after = this;
      head.before = this;
    }
  }

  public Timeout schedule(Duration delay, Runnable action) {
    long whole = Math.ceilDiv(Math.max(0, delay.toNanos()), tickNanos);
    long due = now() + 1 + whole; // a part of this tick is over
    if (delay.compareTo(LONG) >= 0) {
      due = Math.ceilDiv(due, TOGETHER) * TOGETHER;
    }
    Timeout timeout = new Timeout(due, action);
    timeout.linkBefore(slot(due));
    if (due < wakes) {
      wakes = Long.MIN_VALUE;
      wake.run();
    }
    return timeout;
  }

  @Override
  public void after(Duration delay, Runnable action) {
    schedule(delay, action);
  }

  /// The wheel's own time, which begins anywhere.
  public long nanos() {
    return now() * tickNanos;
  }

  /// The tick that it is, also when the driver sleeps.
  private long now() {
    return ticks + Math.min((nanoTime.getAsLong() - tickedAt) / tickNanos, leapTicks);
  }

  /// How long the driver may sleep from now on: until the first time-out is due.
  ///
  /// @param most at most so long
  /// @param wake is run, once, if something is scheduled that is due sooner
  public Duration sleep(Duration most, Runnable wake) {
    long now = now();
    long end = now + most.toNanos() / tickNanos;
    long next = ticks + 1;
    while (next < end && !isDue(next)) {
      next++;
    }
    this.wakes = next;
    this.wake = wake;
    return next < end ? Duration.ofNanos(Math.max(1, next - now) * tickNanos) : most;
  }

  private boolean isDue(long tick) {
    Timeout head = slot(tick);
    for (Timeout t = head.after; t != head; t = t.after) {
      if (t.due <= tick) {
        return true;
      }
    }
    return false;
  }

  /// Runs all that became due, in the order of the ticks.
  public void advance() {
    wakes = Long.MIN_VALUE;
    long passed = (nanoTime.getAsLong() - tickedAt) / tickNanos;
    tickedAt += passed * tickNanos;
    for (long i = Math.min(passed, leapTicks); i > 0; i--) {
      ticks++;
      due().forEach(TimingWheel::run);
    }
  }

  /// Time-outs of this tick; those of later rounds stay. They can still be cancelled by each
  /// other.
  private List<Timeout> due() {
    Timeout head = slot(ticks);
    List<Timeout> due = new ArrayList<>();
    for (Timeout t = head.after; t != head; t = t.after) {
      if (t.due <= ticks) {
        due.add(t);
      }
    }
    return due;
  }

  private static void run(Timeout timeout) {
    if (timeout.after == timeout) {
      return; // cancelled by one that ran before it
    }
    timeout.cancel();
    try {
      timeout.action.run();
    } catch (Throwable e) { // an OutOfMemoryError of direct buffers among them
      LOG.error("A time-out failed", e);
    }
  }

  private Timeout slot(long tick) {
    return slots[(int) (tick % slots.length)];
  }
}
