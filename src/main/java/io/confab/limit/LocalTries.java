package io.confab.limit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// The tries that this node saw while Redis was away, of a bounded number: beyond it the oldest are
/// forgotten. For any thread.
final class LocalTries {
  private final Map<String, Tries> tries = new LinkedHashMap<>();
  private final int most;
  private final LongSupplier nanoTime;

  LocalTries(int most, LongSupplier nanoTime) {
    this.most = most;
    this.nanoTime = nanoTime;
  }

  /// As [SharedTries#begin].
  synchronized Duration begin(String who) {
    long now = nanoTime.getAsLong();
    Tries known = tries.getOrDefault(who, Tries.none(now));
    Tries before = known.isForgotten(now) ? Tries.none(now) : known;
    Duration delay = before.delay(now);
    if (delay.isZero()) {
      tries.remove(who); // so that the order is that of the last try
      tries.put(who, before.begin(now));
      if (tries.size() > most) {
        tries.remove(tries.keySet().iterator().next());
      }
    }
    return delay;
  }

  /// As [SharedTries#withdraw].
  synchronized void withdraw(String who) {
    tries.computeIfPresent(who, (_, known) -> known.withdraw(nanoTime.getAsLong()));
  }

  synchronized void forget(String who) {
    tries.remove(who);
  }
}
