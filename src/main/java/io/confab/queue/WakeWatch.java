package io.confab.queue;

import io.confab.feed.Guarded;
import io.confab.feed.QueuedSend;
import io.confab.protocol.RegistrationId;
import io.confab.queue.WakeStore.Claimed;
import io.confab.queue.WakeStore.Wake;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Wakes devices whose queues have begun to wait and still do a moment later, each once for as long
/// as its queue is not empty. One that has come for a part of it is woken that moment after it did.
/// What is beyond its bound, or lost with the node, a sweep finds.
///
/// Whoever is to be woken is claimed before, and confirmed after that: so a claim of which nobody
/// has heard is good for a while only.
///
/// For any thread.
final class WakeWatch {
  /// Queues that are looked at later, 60 bytes each: 6 MB.
  static final int MOST_WAITING = 100_000;

  /// Queues of one call.
  static final int AT_ONCE = 1_000;

  /// What part of the time those wait that are asked for again.
  private static final int PATIENCE = 10;

  /// As of [WakeStore#claim].
  interface Claims {
    Future<Claimed> claim(Collection<RegistrationId> waiting, Collection<Wake> woken);
  }

  private final Duration after;
  private final Claims claims;
  private final Wakes wakes;
  private final LongSupplier nanoTime;
  private final Queue<Waiting> waiting =
      new PriorityQueue<>((one, other) -> Long.signum(one.due() - other.due()));
  private List<Wake> woken = new ArrayList<>();
  private boolean claiming;

  /// A queue to be asked for.
  private record Waiting(RegistrationId registration, long due) {}

  private record Call(Set<RegistrationId> waiting, List<Wake> woken) {
    boolean isEmpty() {
      return waiting.isEmpty() && woken.isEmpty();
    }
  }

  /// @param after how long a queue may wait
  WakeWatch(Duration after, Claims claims, Wakes wakes, LongSupplier nanoTime) {
    this.after = after;
    this.claims = claims;
    this.wakes = wakes;
    this.nanoTime = nanoTime;
  }

  /// These are in queues now.
  synchronized void queued(List<QueuedSend> sends) {
    for (QueuedSend send : sends) {
      for (QueuedSend.Place place : send.places()) {
        if (place.first()) {
          ask(place.registration(), after);
        }
      }
    }
  }

  /// These have waited for long, and nobody was woken.
  synchronized void forgotten(List<RegistrationId> registrations) {
    registrations.forEach(registration -> ask(registration, Duration.ZERO));
  }

  private void ask(RegistrationId registration, Duration in) {
    if (waiting.size() < MOST_WAITING) {
      waiting.add(new Waiting(registration, nanoTime.getAsLong() + in.toNanos()));
    }
  }

  /// Wakes for what has waited long enough; to be called several times in that time.
  void tick() {
    Call call = next();
    if (!call.isEmpty()) {
      claims
          .claim(call.waiting(), call.woken())
          .onComplete(
              claimed -> {
                if (claimed.succeeded()) {
                  wake(call, claimed.result());
                } else {
                  again(call, null);
                }
              });
    }
  }

  private void wake(Call call, Claimed claimed) {
    again(call, claimed);
    List<Wake> failed = Guarded.each(claimed.due(), this::wake);
    forgotten(failed.stream().map(Wake::registration).toList());
    if (!claimed.due().isEmpty() || call.waiting().size() == AT_ONCE) {
      tick();
    }
  }

  private void wake(Wake wake) {
    wakes.wake(wake.device());
    confirm(wake);
  }

  private synchronized void confirm(Wake wake) {
    woken.add(wake);
  }

  private synchronized Call next() {
    if (claiming) {
      return new Call(Set.of(), List.of());
    }
    Set<RegistrationId> due = new HashSet<>();
    long now = nanoTime.getAsLong();
    while (due.size() < AT_ONCE && isDue(waiting.peek(), now)) {
      due.add(waiting.remove().registration());
    }
    Call call = new Call(due, woken);
    woken = new ArrayList<>();
    claiming = !call.isEmpty();
    return call;
  }

  private static boolean isDue(@Nullable Waiting next, long now) {
    return next != null && now - next.due() >= 0;
  }

  /// Those of which it is not known are asked for in a while.
  ///
  /// @param claimed null: of none it is
  private synchronized void again(Call call, @Nullable Claimed claimed) {
    claiming = false;
    Duration soon = after.dividedBy(PATIENCE);
    for (RegistrationId registration : call.waiting()) {
      Duration in = claimed == null ? soon : claimed.later().get(registration);
      if (in != null) {
        ask(registration, in.compareTo(soon) < 0 ? soon : in);
      }
    }
    call.woken().stream()
        .filter(wake -> claimed == null || claimed.later().containsKey(wake.registration()))
        .forEach(woken::add);
  }
}
