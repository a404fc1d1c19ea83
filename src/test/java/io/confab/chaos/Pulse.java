package io.confab.chaos;

import io.confab.scenario.ApiClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/// Asks every node again and again, past all that may fail, whether it stands still without a
/// fault: on a machine that has much to do nodes may, and what they owe in time is late then. A
/// node that is late more often than not is slow by itself, which excuses nothing.
final class Pulse implements AutoCloseable {
  private static final long PAUSE_MS = 250;

  private final long still;
  private final IntFunction<ApiClient> caller;
  private final LongSupplier nanos;
  private final Told told;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Map<String, Answers> answers = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();

  /// How often a node answered, and how often late.
  record Answers(long all, long late) {
    private static final long ENOUGH = 20;

    Answers with(boolean isLate) {
      return new Answers(all + 1, isLate ? late + 1 : late);
    }

    boolean areMostlyLate() {
      return all >= ENOUGH && 2 * late > all;
    }
  }

  /// Hears of each time; on any thread.
  interface Told {
    void stoodStill(Machine machine, long since, long until);
  }

  private Pulse(Duration still, IntFunction<ApiClient> caller, LongSupplier nanos, Told told) {
    this.still = still.toNanos();
    this.caller = caller;
    this.nanos = nanos;
    this.told = told;
  }

  /// @param still who takes longer for an answer stood still
  /// @param caller by port, somebody who may ask who he is
  /// @param nanos the clock of what is told
  static Pulse start(
      List<Machine> machines,
      Duration still,
      IntFunction<ApiClient> caller,
      LongSupplier nanos,
      Told told) {
    Pulse pulse = new Pulse(still, caller, nanos, told);
    for (Machine machine : machines) {
      Thread.Builder thread = Thread.ofVirtual().name("pulse-" + machine.name());
      pulse.threads.add(thread.start(() -> pulse.feel(machine)));
    }
    return pulse;
  }

  private void feel(Machine machine) {
    try {
      while (!closed.get()) {
        ask(machine);
        Thread.sleep(PAUSE_MS);
      }
    } catch (InterruptedException ended) {
      // nobody waits for it
    }
  }

  private void ask(Machine machine) {
    long since = nanos.getAsLong();
    try {
      caller.apply(machine.port()).call("GET", "/v1/me", null);
    } catch (UncheckedIOException down) {
      return; // a fault, and known as one
    }
    long until = nanos.getAsLong();
    boolean late = until - since > still;
    answers.compute(
        machine.name(), (_, before) -> (before == null ? new Answers(0, 0) : before).with(late));
    if (late) {
      told.stoodStill(machine, since, until);
    }
  }

  /// Nodes that answered late more often than not, and how often.
  List<String> slow() {
    return answers.entrySet().stream()
        .filter(each -> each.getValue().areMostlyLate())
        .map(each -> each.getKey() + " is slow by itself: " + each.getValue())
        .toList();
  }

  /// Answers when nothing more is told.
  @Override
  public void close() {
    closed.set(true);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
