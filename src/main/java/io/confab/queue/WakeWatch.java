package io.confab.queue;

import io.confab.feed.QueuedSend;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.queue.QueueStore.Woken;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Wakes devices whose queues have begun to wait and still do a moment later, each once for as long
/// as its queue is not empty. What is beyond its bound, or lost with the node, a sweep finds.
///
/// For any thread.
final class WakeWatch {
  /// Queues that are looked at later, 60 bytes each: 6 MB.
  static final int MOST_WAITING = 100_000;

  /// Queues of one call.
  static final int AT_ONCE = 1_000;

  /// What part of the time those wait that are asked for again.
  private static final int PATIENCE = 10;

  /// As of [QueueStore#wake].
  interface Claims {
    Future<Woken> claim(Map<RegistrationId, QueueSeq> firsts);
  }

  private final Duration after;
  private final Claims claims;
  private final Wakes wakes;
  private final LongSupplier nanoTime;
  private final Deque<First> waiting = new ArrayDeque<>();
  private boolean claiming;

  /// What was put into an empty queue.
  private record First(RegistrationId registration, QueueSeq seq, long since) {}

  /// @param after how long a queue may wait
  WakeWatch(Duration after, Claims claims, Wakes wakes, LongSupplier nanoTime) {
    this.after = after;
    this.claims = claims;
    this.wakes = wakes;
    this.nanoTime = nanoTime;
  }

  /// These are in queues now.
  synchronized void queued(List<QueuedSend> sends) {
    long now = nanoTime.getAsLong();
    for (QueuedSend send : sends) {
      for (QueuedSend.Place place : send.places()) {
        if (place.first() && waiting.size() < MOST_WAITING) {
          waiting.add(new First(place.registration(), place.seq(), now));
        }
      }
    }
  }

  /// Wakes for what has waited long enough; to be called several times in that time.
  void tick() {
    Map<RegistrationId, QueueSeq> due = due();
    if (!due.isEmpty()) {
      claims
          .claim(due)
          .onComplete(
              claimed -> {
                Woken woken = claimed.succeeded() ? claimed.result() : null;
                again(due, woken == null ? due.keySet() : woken.busy());
                if (woken != null) {
                  woken.devices().forEach(wakes::wake);
                  goOn(due.size());
                }
              });
    }
  }

  private void goOn(int claimed) {
    if (claimed == AT_ONCE) {
      tick();
    }
  }

  private synchronized Map<RegistrationId, QueueSeq> due() {
    Map<RegistrationId, QueueSeq> due = new HashMap<>();
    long now = nanoTime.getAsLong();
    while (!claiming && due.size() < AT_ONCE && isDue(waiting.peek(), now)) {
      First first = waiting.remove();
      due.put(first.registration(), first.seq());
    }
    claiming |= !due.isEmpty();
    return due;
  }

  private boolean isDue(@Nullable First first, long now) {
    return first != null && now - first.since() >= after.toNanos();
  }

  /// Those of which it is not known are asked for in a while.
  private synchronized void again(Map<RegistrationId, QueueSeq> due, Set<RegistrationId> unknown) {
    claiming = false;
    long soon = nanoTime.getAsLong() - after.toNanos() + after.toNanos() / PATIENCE;
    due.forEach(
        (registration, seq) -> {
          if (unknown.contains(registration) && waiting.size() < MOST_WAITING) {
            waiting.addFirst(new First(registration, seq, soon));
          }
        });
  }
}
