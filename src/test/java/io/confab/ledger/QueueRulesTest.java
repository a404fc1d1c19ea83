package io.confab.ledger;

import static io.confab.ledger.Invariant.ENVELOPES_ONCE;
import static io.confab.ledger.Invariant.KEYS_FIRST;
import static io.confab.ledger.Invariant.QUEUES_ALIKE;
import static io.confab.ledger.Invariant.QUEUES_IN_REAL_TIME;
import static io.confab.ledger.Invariant.QUEUE_COMPLETE;
import static io.confab.ledger.Invariant.QUEUE_DENSE;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.ledger.FinalQueues.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// In which numbers and order devices of sealed rooms get what they get.
@Timeout(30)
class QueueRulesTest {
  private SealedHistory history = SealedHistory.usual();

  /// Bob's devices have acknowledged a alone.
  private void onlyA() {
    history = new SealedHistory();
    history.sends("a", "1,2,3", "2,3");
    history.acked("a", 1);
    history.keeps(1, "a");
    history.is(1, "bob", Entry.DELIVERED);
    for (long device = 2; device <= 3; device++) {
      history.comes(device, 1, "a", 1, "k");
      history.keeps(device, 1);
      history.acks(device, 1);
    }
  }

  private void bIsSentAndDelivered() {
    history.sends("b", "1,2,3", "");
    history.acked("b", 2);
    history.keeps(2, "b");
    history.is(2, "bob", Entry.DELIVERED);
  }

  private void getsB(long device, long number) {
    history.comes(device, number, "b", 2, "");
    history.keeps(device, number);
    history.acks(device, number);
  }

  @Test
  void theUsualHistoryKeepsAll() {
    assertThat(history.broken()).isEmpty();
  }

  @Test
  void whatComesAgainOnAnotherConnectionIsDroppedByNumber() {
    history.opens(2, 0, 1, 2, false);
    history.comes(2, 1, "a", 1, "k");
    history.comes(2, 2, "b", 2, "");
    history.opens(3, 2, 3, 2, false);
    assertThat(history.broken()).isEmpty();
  }

  @Test
  void aHoleInAQueue() {
    onlyA();
    bIsSentAndDelivered();
    getsB(2, 2);
    getsB(3, 3);
    assertThat(history.broken()).containsExactly(QUEUE_DENSE, QUEUE_COMPLETE);
  }

  @Test
  void aNumberTwiceOnOneConnection() {
    history.comes(2, 2, "b", 2, "");
    assertThat(history.broken()).containsExactly(QUEUE_DENSE);
  }

  @Test
  void twoNumbersSwapped() {
    history.opens(2, 0, 1, 2, false);
    history.comes(2, 2, "b", 2, "");
    history.comes(2, 1, "a", 1, "k");
    assertThat(history.broken()).containsExactly(QUEUE_DENSE);
  }

  @Test
  void aConnectionThatGoesOnElsewhereThanTheClientSaid() {
    history.opens(2, 1, 1, 2, false);
    history.comes(2, 1, "a", 1, "k");
    assertThat(history.broken()).containsExactly(QUEUE_DENSE);
  }

  @Test
  void aPositionThatIsTakenForNone() {
    history.opens(2, 2, 1, 2, true);
    assertThat(history.broken()).containsExactly(QUEUE_DENSE);
  }

  @Test
  void whatWasNotKeptIsNotThereAnyMore() {
    history.opens(2, 2, 4, 5, false);
    assertThat(history.broken()).containsExactly(QUEUE_DENSE);
  }

  @Test
  void anotherEpochBeginsAnew() {
    history.then(t -> new Entry.QueueOpened(t, "device-2", 2, 2, 2, 1, 0, true));
    history.then(
        t -> new Entry.EnvelopeCame(t, 2, 2, 1, SealedHistory.ROOM, 1, "ann", "a", "k", "#a"));
    assertThat(history.broken()).isEmpty();
  }

  @Test
  void anEnvelopeUnderTwoNumbers() {
    history.comes(2, 3, "b", 2, "");
    history.keeps(2, 3);
    history.acks(2, 3);
    assertThat(history.broken()).contains(ENVELOPES_ONCE);
  }

  @Test
  void aNumberOfTwoEnvelopes() {
    history.opens(2, 1, 2, 2, false);
    history.comes(2, 2, "a", 1, "k");
    assertThat(history.broken()).contains(ENVELOPES_ONCE);
  }

  @Test
  void whatWasGoneAndComesAfterAll() {
    onlyA();
    bIsSentAndDelivered();
    history.gone(2, 2);
    history.opens(2, 1, 2, 2, false);
    getsB(2, 2);
    getsB(3, 2);
    assertThat(history.broken()).containsExactly(ENVELOPES_ONCE);
  }

  @Test
  void aQueueOfWhichSomethingDidNotCome() {
    onlyA();
    bIsSentAndDelivered();
    getsB(3, 2);
    history.queues.put(2L, new Waiting(1, 2));
    assertThat(history.broken()).containsExactly(QUEUE_COMPLETE);
  }

  @Test
  void aQueueIntoWhichSomethingThatWasAcknowledgedDidNotGo() {
    onlyA();
    bIsSentAndDelivered();
    getsB(3, 2);
    assertThat(history.broken()).containsExactly(QUEUE_COMPLETE);
  }

  @Test
  void whatADeviceHasKeptAndTheServerDoesNotKnow() {
    history.queues.put(2L, new Waiting(1, 2));
    assertThat(history.broken()).containsExactly(QUEUE_COMPLETE);
  }

  @Test
  void twoDevicesThatGetBothInAnotherOrder() {
    history = new SealedHistory();
    history.whispers("a", "1,2,3", "2,3", "");
    history.whispers("b", "1,2,3", "2,3", "");
    history.acked("a", 0);
    history.acked("b", 0);
    history.comes(2, 1, "a", 0, "k", "");
    history.comes(2, 2, "b", 0, "k", "");
    history.comes(3, 1, "b", 0, "k", "");
    history.comes(3, 2, "a", 0, "k", "");
    for (long device = 2; device <= 3; device++) {
      history.keeps(device, 2);
      history.acks(device, 2);
    }
    assertThat(history.broken()).containsExactly(QUEUES_ALIKE);
  }

  @Test
  void acknowledgedLaterButNumberedEarlier() {
    history = new SealedHistory();
    history.whispers("b", "1,2,3", "2", "");
    history.acked("b", 0);
    history.whispers("a", "1,2,3", "2", "");
    history.acked("a", 0);
    history.comes(2, 1, "a", 0, "k", "");
    history.comes(2, 2, "b", 0, "k", "");
    history.keeps(2, 2);
    history.acks(2, 2);
    assertThat(history.broken()).containsExactly(QUEUES_IN_REAL_TIME);
  }

  @Test
  void sendsAtTheSameTimeMayHaveAnyOrder() {
    history = new SealedHistory();
    history.whispers("b", "1,2,3", "2", "");
    history.whispers("a", "1,2,3", "2", "");
    history.acked("b", 0);
    history.acked("a", 0);
    history.comes(2, 1, "a", 0, "k", "");
    history.comes(2, 2, "b", 0, "k", "");
    history.keeps(2, 2);
    history.acks(2, 2);
    assertThat(history.broken()).isEmpty();
  }

  @Test
  void aPayloadBeforeItsKey() {
    history = new SealedHistory();
    history.whispers("b", "1,2,3", "", "#b");
    history.whispers("key", "1,2,3", "2,3", "");
    history.acked("b", 0);
    history.acked("key", 0);
    for (long device = 2; device <= 3; device++) {
      history.comes(device, 1, "b", 0, "");
      history.comes(device, 2, "key", 0, "k", "");
      history.keeps(device, 2);
      history.acks(device, 2);
    }
    assertThat(history.broken()).containsExactly(KEYS_FIRST);
  }

  @Test
  void whatLostItsContentMayHaveBroughtTheKey() {
    history = new SealedHistory();
    history.whispers("key", "1,2,3", "2,3", "");
    history.whispers("b", "1,2,3", "", "#b");
    history.acked("b", 0);
    history.acked("key", 0);
    for (long device = 2; device <= 3; device++) {
      history.gone(device, 1);
      history.comes(device, 2, "b", 0, "");
      history.keeps(device, 2);
      history.acks(device, 2);
    }
    assertThat(history.broken()).isEmpty();
  }
}
