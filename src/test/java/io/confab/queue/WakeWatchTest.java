package io.confab.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.QueuedSend;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.queue.QueueStore.Woken;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WakeWatchTest {
  private static final Duration AFTER = Duration.ofSeconds(3);

  /// What the database knows.
  private final Map<RegistrationId, QueueSeq> gone = new HashMap<>();

  private final Set<RegistrationId> woken = new HashSet<>();
  private final List<Map<RegistrationId, QueueSeq>> calls = new ArrayList<>();
  private final List<String> wakes = new ArrayList<>();
  private long now;
  private boolean hangs;
  private boolean away;
  private final Set<RegistrationId> locked = new HashSet<>();
  private final WakeWatch watch =
      new WakeWatch(AFTER, this::claim, device -> wakes.add(device.device().value()), () -> now);

  private Future<Woken> claim(Map<RegistrationId, QueueSeq> firsts) {
    calls.add(firsts);
    if (hangs) {
      return Promise.<Woken>promise().future();
    }
    if (away) {
      return Future.failedFuture("the database is away");
    }
    List<Caller> claimed = new ArrayList<>();
    firsts.forEach(
        (registration, seq) -> {
          if (!locked.contains(registration)
              && seq.isAfter(gone.getOrDefault(registration, new QueueSeq(0)))
              && woken.add(registration)) {
            claimed.add(new Caller(new AccountId(1), new DeviceId("d" + registration)));
          }
        });
    return Future.succeededFuture(new Woken(claimed, Set.copyOf(locked)));
  }

  private void queued(long registration, long seq, boolean first) {
    watch.queued(
        List.of(
            new QueuedSend(
                new RoomId(1),
                null,
                new Epoch(1),
                seq,
                new byte[0],
                List.of(
                    new QueuedSend.Place(
                        new RegistrationId(registration), new QueueSeq(seq), first, null)))));
  }

  private void pass(Duration time) {
    now += time.toNanos();
    watch.tick();
  }

  private void acknowledged(long registration, long seq) {
    gone.put(new RegistrationId(registration), new QueueSeq(seq));
    woken.remove(new RegistrationId(registration));
  }

  @Test
  void aThousandEnvelopesForADeviceThatSleepsWakeItOnce() {
    for (int seq = 1; seq <= 1_000; seq++) {
      queued(1, seq, seq == 1);
      pass(Duration.ofMillis(50));
    }
    assertThat(wakes).containsExactly("d1");
    assertThat(calls).hasSize(1);
  }

  @Test
  void whatIsFetchedInTimeWakesNobody() {
    queued(1, 1, true);
    pass(Duration.ofSeconds(2));
    acknowledged(1, 1);
    pass(Duration.ofSeconds(2));
    assertThat(calls).hasSize(1);
    assertThat(wakes).isEmpty();
  }

  @Test
  void afterItWasEmptyItIsWokenAgain() {
    queued(1, 1, true);
    pass(AFTER);
    acknowledged(1, 1);
    queued(1, 2, true);
    pass(AFTER);
    assertThat(wakes).containsExactly("d1", "d1");
  }

  @Test
  void allThatAreDueGoInOneCall() {
    queued(1, 1, true);
    queued(2, 1, true);
    pass(Duration.ofSeconds(2));
    queued(3, 1, true);
    pass(Duration.ofSeconds(1));
    assertThat(calls).hasSize(1);
    assertThat(wakes).containsExactlyInAnyOrder("d1", "d2");
    pass(Duration.ofSeconds(2));
    assertThat(wakes).contains("d3");
  }

  @Test
  void whileACallIsUnderWayOthersWait() {
    hangs = true;
    queued(1, 1, true);
    pass(AFTER);
    queued(2, 1, true);
    pass(AFTER);
    assertThat(calls).hasSize(1);
  }

  @Test
  void whatCouldNotBeAskedForIsAskedForAgain() {
    queued(1, 1, true);
    away = true;
    pass(AFTER);
    pass(Duration.ofMillis(1));
    assertThat(calls).as("not at once").hasSize(1);
    away = false;
    pass(AFTER.dividedBy(10));
    assertThat(wakes).containsExactly("d1");
  }

  @Test
  void whatSomebodyHasLockedIsAskedForAgain() {
    queued(1, 1, true);
    queued(2, 1, true);
    locked.add(new RegistrationId(1));
    pass(AFTER);
    assertThat(wakes).containsExactly("d2");
    locked.clear();
    pass(AFTER.dividedBy(10));
    assertThat(wakes).containsExactly("d2", "d1");
    assertThat(calls).hasSize(2);
    pass(AFTER);
    assertThat(calls).hasSize(2);
  }
}
