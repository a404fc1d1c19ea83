package io.confab.ledger;

import static io.confab.ledger.Invariant.STATES_KNOWN;
import static io.confab.ledger.Invariant.STATES_TRUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.ledger.FinalQueues.Addressed;
import io.confab.ledger.FinalQueues.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What became of the message a at bob, whose devices have got it.
@Timeout(30)
class StateRulesTest {
  private static final Addressed AT_BOB = new Addressed(SealedHistory.ROOM, 1, "bob");

  private final SealedHistory history = new SealedHistory();

  StateRulesTest() {
    history.sends("a", "1,2,3", "2,3");
    history.acked("a", 1);
    history.keeps(1, "a");
    for (long device = 2; device <= 3; device++) {
      history.comes(device, 1, "a", 1, "k");
      history.keeps(device, 1);
    }
  }

  private void bothAcknowledge() {
    history.acks(2, 1);
    history.acks(3, 1);
  }

  @Test
  void whatADeviceAcknowledgedIsDelivered() {
    history.ends(2);
    history.acks(3, 1);
    history.is(1, "bob", Entry.DELIVERED);
    assertThat(history.broken()).isEmpty();
    history.is(1, "bob", "removed");
    assertThat(history.broken()).containsExactly(STATES_TRUE);
    history.states.clear();
    history.told.clear();
    assertThat(history.broken()).containsExactly(STATES_TRUE);
  }

  @Test
  void whatNobodyAcknowledgedIsNotDelivered() {
    history.ends(2);
    history.ends(3);
    history.is(1, "bob", "removed");
    assertThat(history.broken()).isEmpty();
    history.is(1, "bob", Entry.DELIVERED);
    assertThat(history.broken()).containsExactly(STATES_TRUE);
  }

  @Test
  void whatNoDeviceCanGetFails() {
    history.ends(2);
    history.ends(3);
    assertThat(history.broken()).containsExactly(STATES_TRUE);
  }

  @Test
  void whatFailsFailsForAReason() {
    history.rejects(2, 1);
    history.rejects(3, 1);
    bothAcknowledge();
    history.is(1, "bob", "undecryptable");
    assertThat(history.broken()).isEmpty();
    history.is(1, "bob", "removed");
    assertThat(history.broken()).containsExactly(STATES_TRUE);
    history.is(1, "bob", "expired");
    assertThat(history.broken()).containsExactly(STATES_TRUE);
    history.is(1, "bob", Entry.DELIVERED);
    assertThat(history.broken()).containsExactly(STATES_TRUE);
  }

  @Test
  void anAcknowledgementOfUnknownOutcomeMayCountOrNot() {
    history.asksAck(2, 1);
    history.ends(2);
    history.ends(3);
    history.is(1, "bob", Entry.DELIVERED);
    assertThat(history.broken()).isEmpty();
    history.is(1, "bob", "removed");
    assertThat(history.broken()).isEmpty();
  }

  @Test
  void whatWaitsIsNeither() {
    history.ends(2);
    history.queues.put(3L, new Waiting(0, 1));
    assertThat(history.broken()).doesNotContain(STATES_TRUE);
    history.queues.put(3L, new Waiting(1, 1));
    assertThat(history.broken()).containsExactly(STATES_TRUE);
  }

  @Test
  void aSenderWhoAsksIsToldWhatTheTablesHave() {
    bothAcknowledge();
    history.is(1, "bob", Entry.DELIVERED);
    history.told.clear();
    assertThat(history.broken()).containsExactly(STATES_KNOWN);
    history.told.put(AT_BOB, "removed");
    assertThat(history.broken()).containsExactly(STATES_KNOWN);
  }

  @Test
  void whatWasToldLiveStays() {
    bothAcknowledge();
    history.is(1, "bob", Entry.DELIVERED);
    history.tells("bob", 1, 1, Entry.DELIVERED);
    assertThat(history.broken()).isEmpty();
    history.tells("bob", 1, 1, "removed");
    assertThat(history.broken()).containsExactly(STATES_KNOWN);
  }

  @Test
  void nothingIsToldOfMessagesThatThereAreNot() {
    bothAcknowledge();
    history.is(1, "bob", Entry.DELIVERED);
    history.tells("bob", 1, 9, Entry.DELIVERED);
    assertThat(history.broken()).containsExactly(STATES_KNOWN);
  }

  @Test
  void whoHadNoDeviceIsToldNothingOf() {
    bothAcknowledge();
    history.is(1, "bob", Entry.DELIVERED);
    history.members.add(new Membership("cy", SealedHistory.ROOM, 2, 0));
    history.is(1, "cy", "removed");
    assertThat(history.broken()).containsExactly(STATES_TRUE);
  }
}
