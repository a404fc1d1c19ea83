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
import io.confab.queue.WakeStore.Claimed;
import io.confab.queue.WakeStore.Wake;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WakeWatchTest {
  private static final Duration AFTER = Duration.ofSeconds(3);

  /// How long a claim is good.
  private static final Duration LEASE = Duration.ofSeconds(5);

  /// What the database knows: when those that wait may be woken.
  private final Map<RegistrationId, OffsetDateTime> until = new HashMap<>();

  private final Set<RegistrationId> locked = new HashSet<>();
  private final Map<RegistrationId, OffsetDateTime> partly = new HashMap<>();
  private final List<Collection<RegistrationId>> calls = new ArrayList<>();
  private final List<String> wakes = new ArrayList<>();
  private long now;
  private boolean hangs;
  private boolean away;
  private boolean lost;
  private boolean broken;
  private @Nullable RegistrationId lockedOnceWoken;
  private final WakeWatch watch = new WakeWatch(AFTER, this::claim, this::wake, () -> now);

  private void wake(Caller device) {
    if (broken) {
      throw new IllegalStateException("the port is broken");
    }
    wakes.add(device.device().value());
    if (lockedOnceWoken != null) {
      locked.add(lockedOnceWoken);
    }
  }

  private OffsetDateTime time() {
    return OffsetDateTime.ofInstant(Instant.EPOCH.plusNanos(now), ZoneOffset.UTC);
  }

  private Future<Claimed> claim(Collection<RegistrationId> waiting, Collection<Wake> woken) {
    if (!waiting.isEmpty()) {
      calls.add(waiting);
    }
    if (hangs) {
      return Promise.<Claimed>promise().future();
    }
    if (away) {
      return Future.failedFuture("the database is away");
    }
    List<Wake> due = new ArrayList<>();
    Map<RegistrationId, Duration> later = new HashMap<>();
    for (Wake wake : woken) {
      if (locked.contains(wake.registration())) {
        later.put(wake.registration(), Duration.ZERO);
      } else {
        until.replace(wake.registration(), wake.until(), OffsetDateTime.MAX);
      }
    }
    for (RegistrationId registration : waiting) {
      OffsetDateTime from = until.get(registration);
      if (from == null || from.equals(OffsetDateTime.MAX)) {
        continue;
      }
      OffsetDateTime part = partly.getOrDefault(registration, OffsetDateTime.MIN);
      OffsetDateTime then = from.isAfter(part) ? from : part;
      if (locked.contains(registration)) {
        later.put(registration, Duration.ZERO);
      } else if (then.isAfter(time())) {
        later.put(registration, Duration.between(time(), then));
      } else {
        OffsetDateTime lease = time().plus(LEASE);
        until.put(registration, lease);
        Caller device = new Caller(new AccountId(1), new DeviceId("d" + registration));
        due.add(new Wake(registration, device, lease));
      }
    }
    return lost
        ? Future.failedFuture("its answer is lost")
        : Future.succeededFuture(new Claimed(due, later));
  }

  private void queued(long registration, long seq, boolean first) {
    if (first) {
      until.put(new RegistrationId(registration), OffsetDateTime.MIN);
    }
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

  private void acknowledged(long registration) {
    until.remove(new RegistrationId(registration));
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
    acknowledged(1);
    pass(Duration.ofSeconds(2));
    assertThat(calls).hasSize(1);
    assertThat(wakes).isEmpty();
  }

  @Test
  void afterItWasEmptyItIsWokenAgain() {
    queued(1, 1, true);
    pass(AFTER);
    acknowledged(1);
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

  @Test
  void whoHasComeForAPartIsWokenForTheRestAMomentAfterIt() {
    queued(1, 1, true);
    queued(1, 2, false);
    pass(Duration.ofSeconds(2));
    partly.put(new RegistrationId(1), time().plus(AFTER));
    pass(Duration.ofSeconds(1));
    assertThat(wakes).isEmpty();
    pass(Duration.ofSeconds(2).minusMillis(1));
    assertThat(wakes).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(wakes).containsExactly("d1");
    assertThat(calls).hasSize(2);
  }

  @Test
  void whereTheAnswerOfAClaimIsLostItIsClaimedAgainWhenItIsOver() {
    queued(1, 1, true);
    lost = true;
    pass(AFTER);
    lost = false;
    pass(AFTER.dividedBy(10));
    assertThat(wakes).isEmpty();
    pass(LEASE);
    assertThat(wakes).containsExactly("d1");
    pass(Duration.ofMinutes(1));
    assertThat(wakes).hasSize(1);
  }

  @Test
  void whoIsWokenIsNotWokenByTheSweepOfAnother() {
    queued(1, 1, true);
    pass(AFTER);
    pass(LEASE);
    watch.forgotten(List.of(new RegistrationId(1)));
    pass(Duration.ZERO);
    assertThat(wakes).hasSize(1);
  }

  @Test
  void whatCouldNotBeConfirmedIsConfirmedLater() {
    queued(1, 1, true);
    lockedOnceWoken = new RegistrationId(1);
    pass(AFTER);
    assertThat(wakes).containsExactly("d1");
    pass(Duration.ofMillis(1));
    assertThat(until.get(new RegistrationId(1)))
        .isEqualTo(time().plus(LEASE).minusNanos(1_000_000));
    locked.clear();
    away = true;
    pass(Duration.ofMillis(1));
    away = false;
    pass(Duration.ofMillis(1));
    assertThat(until.get(new RegistrationId(1))).isEqualTo(OffsetDateTime.MAX);
  }

  @Test
  void whoCouldNotBeWokenIsWokenWhenTheClaimIsOver() {
    queued(1, 1, true);
    queued(2, 1, true);
    broken = true;
    pass(AFTER);
    broken = false;
    pass(Duration.ofSeconds(1));
    assertThat(wakes).isEmpty();
    pass(LEASE);
    assertThat(wakes).containsExactlyInAnyOrder("d1", "d2");
  }

  @Test
  void whoWasForgottenIsWokenAtOnce() {
    until.put(new RegistrationId(1), OffsetDateTime.MIN);
    watch.forgotten(List.of(new RegistrationId(1)));
    pass(Duration.ZERO);
    assertThat(wakes).containsExactly("d1");
  }
}
