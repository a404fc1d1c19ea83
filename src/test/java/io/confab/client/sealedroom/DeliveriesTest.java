package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.RoomSignal;
import io.confab.client.SealedCalls;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
  private static final RoomId ROOM = new RoomId(5);
  private static final AccountId BOB = new AccountId(18);

  private static final AccountId ANN = new AccountId(17);

  private final Deliveries deliveries = new Deliveries(ANN);

  @BeforeEach
  void look() {
    deliveries.answered(
        ROOM,
        List.of(
            new SealedCalls.Delivery(
                BOB,
                List.of(new SealedCalls.Run(new Seq(2), new Seq(4))),
                new Seq(3),
                List.of(new SealedCalls.Failed(new Seq(1), "expired")))));
  }

  private Fate fate(long seq) {
    return deliveries.of(ROOM, new Seq(seq));
  }

  private void arrived(long from, long to) {
    deliveries.signalled(new RoomSignal.Arrived(ROOM, BOB, new Seq(from), new Seq(to)));
  }

  private void failed(long seq) {
    deliveries.signalled(new RoomSignal.Undelivered(ROOM, BOB, new Seq(seq), "full"));
  }

  @Test
  void theAnswerSaysWhatArrivedWasReadAndFailed() {
    assertThat(fate(1)).isEqualTo(new Fate(Set.of(), Map.of(BOB, "expired"), Set.of()));
    assertThat(fate(3)).isEqualTo(new Fate(Set.of(BOB), Map.of(), Set.of(BOB)));
    assertThat(fate(4)).isEqualTo(new Fate(Set.of(BOB), Map.of(), Set.of()));
    assertThat(fate(5)).isEqualTo(new Fate(Set.of(), Map.of(), Set.of()));
  }

  @Test
  void whatIsToldSinceIsAddedAndSaysNothingOfWhatWasBefore() {
    arrived(7, 9);
    assertThat(fate(6).delivered()).isEmpty();
    assertThat(fate(8).delivered()).containsExactly(BOB);
    arrived(5, 6);
    arrived(1, 1);
    for (int seq = 1; seq <= 9; seq++) {
      assertThat(fate(seq).delivered()).containsExactly(BOB);
    }
    assertThat(fate(10).delivered()).isEmpty();
  }

  @Test
  void whatArrivedDoesNotFail() {
    failed(3);
    assertThat(fate(3).failed()).isEmpty();
    failed(6);
    assertThat(fate(6).failed()).containsEntry(BOB, "full");
    arrived(6, 6);
    assertThat(fate(6).failed()).isEmpty();
  }

  @Test
  void whatNeverArrivedIsReadByNobodyWhoReadsOn() {
    failed(6);
    arrived(8, 8);
    deliveries.signalled(new RoomSignal.Marker(ROOM, BOB, new Seq(8), new Seq(8), null));
    assertThat(fate(5).read()).as("nobody told of it").isEmpty();
    assertThat(fate(6)).isEqualTo(new Fate(Set.of(), Map.of(BOB, "full"), Set.of()));
    assertThat(fate(8).read()).containsExactly(BOB);
    arrived(5, 5);
    assertThat(fate(5).read()).containsExactly(BOB);
  }

  @Test
  void roomsThatNobodyLooksAtAreNotKept() {
    RoomId other = new RoomId(6);
    assertThat(deliveries.signalled(new RoomSignal.Arrived(other, BOB, new Seq(1), new Seq(1))))
        .isFalse();
    assertThat(deliveries.of(other, new Seq(1)).delivered()).isEmpty();
  }

  @Test
  void whatTheOwnAccountReadIsReadByNobodyElse() {
    assertThat(deliveries.signalled(new RoomSignal.Marker(ROOM, ANN, new Seq(4), new Seq(4), null)))
        .isFalse();
    assertThat(fate(4).read()).isEmpty();
    assertThat(deliveries.signalled(new RoomSignal.Marker(ROOM, BOB, new Seq(4), new Seq(4), null)))
        .isTrue();
    assertThat(fate(4).read()).containsExactly(BOB);
  }

  @Test
  void whatIsToldBeforeTheAnswerIsKept() {
    RoomId other = new RoomId(6);
    deliveries.follow(other);
    deliveries.signalled(new RoomSignal.Arrived(other, BOB, new Seq(1), new Seq(1)));
    deliveries.answered(other, List.of());
    assertThat(deliveries.of(other, new Seq(1)).delivered()).containsExactly(BOB);
  }
}
