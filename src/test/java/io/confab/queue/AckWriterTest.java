package io.confab.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.BatchedRead.Pace;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.QueueStore.Ack;
import io.confab.queue.QueueStore.Acked;
import io.confab.queue.QueueStore.Run;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class AckWriterTest {
  private static final RegistrationId PHONE = new RegistrationId(1);
  private static final RegistrationId LAPTOP = new RegistrationId(2);
  private static final Epoch EPOCH = new Epoch(4);

  private final List<SortedMap<RegistrationId, Ack>> calls = new ArrayList<>();
  private final List<Promise<Acked>> answers = new ArrayList<>();
  private final List<Boolean> patient = new ArrayList<>();
  private final List<Run> delivered = new ArrayList<>();
  private final AckWriter writer = new AckWriter(this::store, delivered::addAll, Pace.NONE);

  private Future<Acked> store(SortedMap<RegistrationId, Ack> acks, boolean waits) {
    calls.add(acks);
    patient.add(waits);
    Promise<Acked> answer = Promise.promise();
    answers.add(answer);
    return answer.future();
  }

  private void commit(int call, Run... runs) {
    Map<RegistrationId, QueueSeq> gone = new HashMap<>();
    calls.get(call).forEach((registration, ack) -> gone.put(registration, ack.upTo()));
    answers.get(call).complete(new Acked(EPOCH, gone, Set.of(), Set.of(runs)));
  }

  private static Ack ack(long upTo) {
    return new Ack(seq(upTo), EPOCH);
  }

  private static QueueSeq seq(long number) {
    return new QueueSeq(number);
  }

  @Test
  void nobodyIsToldBeforeTheCommit() {
    Future<QueueSeq> ack = writer.ack(PHONE, ack(7));
    assertThat(calls).hasSize(1);
    assertThat(ack.isComplete()).isFalse();
    assertThat(delivered).isEmpty();
    Run run = new Run(new AccountId(1), new RoomId(2), new Seq(3), new Seq(4));
    commit(0, run);
    assertThat(ack.result()).isEqualTo(seq(7));
    assertThat(delivered).containsExactly(run);
  }

  @Test
  void whileACallIsUnderWayManyDevicesWaitForOneMore() {
    writer.ack(PHONE, ack(1));
    List<Future<QueueSeq>> acks = new ArrayList<>();
    for (int device = 1; device <= AckWriter.AT_ONCE; device++) {
      acks.add(writer.ack(new RegistrationId(device), ack(device + 1)));
    }
    assertThat(calls).hasSize(1);
    commit(0);
    assertThat(calls).hasSize(2);
    assertThat(calls.get(1)).hasSize(AckWriter.AT_ONCE);
    assertThat(acks).noneMatch(Future::isComplete);
    commit(1);
    assertThat(acks).allMatch(Future::succeeded);
    assertThat(calls).hasSize(2);
  }

  @Test
  void afterACallOfSeveralDevicesOthersAreGatheredAndOneThatIsAloneIsNot() {
    List<Runnable> later = new ArrayList<>();
    AckWriter paced =
        new AckWriter(
            this::store,
            delivered::addAll,
            new Pace(Duration.ofMillis(50), 2, () -> 0, (_, action) -> later.add(action)));
    paced.ack(PHONE, ack(1));
    commit(0);
    paced.ack(PHONE, ack(2));
    assertThat(calls).hasSize(2);
    paced.ack(PHONE, ack(3));
    paced.ack(LAPTOP, ack(1));
    commit(1);
    commit(2);
    Future<QueueSeq> gathered = paced.ack(PHONE, ack(4));
    paced.ack(LAPTOP, ack(2));
    assertThat(calls).hasSize(3);
    later.getFirst().run();
    assertThat(calls.get(3)).isEqualTo(Map.of(PHONE, ack(4), LAPTOP, ack(2)));
    commit(3);
    assertThat(gathered.result()).isEqualTo(seq(4));
  }

  @Test
  void ofOneDeviceTheHighestNumberCounts() {
    writer.ack(new RegistrationId(9), ack(1));
    Future<QueueSeq> later = writer.ack(PHONE, ack(9));
    Future<QueueSeq> earlier = writer.ack(PHONE, ack(5));
    commit(0);
    assertThat(calls.get(1)).isEqualTo(Map.of(PHONE, ack(9)));
    commit(1);
    assertThat(later.result()).isEqualTo(seq(9));
    assertThat(earlier.result()).isEqualTo(seq(9));
  }

  @Test
  void afterALostCallTheSameNumberIsStoredAgain() {
    Future<QueueSeq> ack = writer.ack(PHONE, ack(7));
    answers.getFirst().fail(Refusal.unavailable("the connection is gone"));
    assertThat(ack.failed()).isTrue();
    assertThat(delivered).isEmpty();
    Future<QueueSeq> again = writer.ack(PHONE, ack(7));
    commit(1);
    assertThat(again.result()).isEqualTo(seq(7));
  }

  @Test
  void aRemovedDeviceHasNoQueue() {
    Future<QueueSeq> ack = writer.ack(PHONE, ack(7));
    answers.getFirst().complete(new Acked(EPOCH, Map.of(), Set.of(), Set.of()));
    assertThat(ack.cause())
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void aQueueThatSomebodyHasLockedHoldsUpNobody() {
    writer.ack(new RegistrationId(9), ack(1));
    Future<QueueSeq> locked = writer.ack(PHONE, ack(7));
    Future<QueueSeq> free = writer.ack(LAPTOP, ack(8));
    commit(0);
    answers.get(1).complete(new Acked(EPOCH, Map.of(LAPTOP, seq(8)), Set.of(PHONE), Set.of()));
    assertThat(free.result()).isEqualTo(seq(8));
    assertThat(locked.isComplete()).isFalse();
    assertThat(calls.get(2)).isEqualTo(Map.of(PHONE, ack(7)));
    assertThat(patient).containsExactly(false, false, true);
    Future<QueueSeq> later = writer.ack(LAPTOP, ack(9));
    commit(3);
    assertThat(later.result()).as("while the locked one is waited for").isEqualTo(seq(9));
    commit(2);
    assertThat(locked.result()).isEqualTo(seq(7));
  }

  @Test
  void aNumberOfAnotherEpochIsRefusedAndOfTwoTheLaterOneCounts() {
    Future<QueueSeq> old = writer.ack(PHONE, new Ack(seq(100), new Epoch(3)));
    answers.getFirst().complete(new Acked(EPOCH, Map.of(PHONE, seq(5)), Set.of(), Set.of()));
    assertThat(old.cause())
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    assertThat(new Ack(seq(100), new Epoch(3)).later(ack(6))).isEqualTo(ack(6));
    assertThat(ack(6).later(new Ack(seq(100), new Epoch(3)))).isEqualTo(ack(6));
  }
}
