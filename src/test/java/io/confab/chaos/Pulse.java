package io.confab.chaos;

import io.confab.scenario.ApiClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/// Asks every node again and again, past all that may fail, whether it stands still without a
/// fault: on a machine that has much to do nodes may, and what they owe in time is late then.
final class Pulse implements AutoCloseable {
  private static final long PAUSE_MS = 250;

  private final long still;
  private final IntFunction<ApiClient> caller;
  private final LongSupplier nanos;
  private final Told told;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

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
    if (until - since > still) {
      told.stoodStill(machine, since, until);
    }
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
