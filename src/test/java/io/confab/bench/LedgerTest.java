package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LedgerTest {
  private static final int FIRST = 0;
  private static final int SECOND = 1;

  private final Ledger ledger = new Ledger(new Layout(3, List.of(List.of(0, 1), List.of(1, 2))));

  /// Three messages in the first room, two of them by person 0, and one in the second.
  private LedgerTest() {
    ledger.sent(0, 0);
    ledger.sent(0, 1);
    ledger.sent(0, 0);
    ledger.sent(1, 2);
    ledger.received(3, FIRST);
    ledger.received(3, SECOND);
  }

  private void received(int member, int... messages) {
    for (int message : messages) {
      ledger.received(message, member);
    }
  }

  private void acked(int... messages) {
    for (int message : messages) {
      ledger.acked(message);
    }
  }

  @Test
  void aRunWithoutFaultIsWhole() {
    received(FIRST, 1, 0, 2); // people may overtake each other
    received(SECOND, 1, 0, 2);
    acked(2, 0, 3, 1);

    assertThat(ledger.fault()).isEmpty();
  }

  @Test
  void aLostDeliveryIsFound() {
    received(FIRST, 0, 1, 2);
    received(SECOND, 0, 2);
    acked(0, 1, 2, 3);

    assertThat(ledger.fault()).contains("room 0, person 1: lost 1 of 3");
  }

  @Test
  void aLastDeliveryThatIsLostIsFound() {
    received(FIRST, 0, 1);
    received(SECOND, 0, 1, 2);
    acked(0, 1, 2, 3);

    assertThat(ledger.fault()).contains("room 0, person 0: lost 2 of 3");
  }

  @Test
  void aRepeatedDeliveryIsFound() {
    received(FIRST, 0, 1, 2);
    received(SECOND, 0, 1, 2, 1);
    acked(0, 1, 2, 3);

    assertThat(ledger.fault()).contains("room 0, person 1: repeated 1 of 3");
  }

  @Test
  void anotherOrderForOneMemberIsFound() {
    received(FIRST, 0, 1, 2);
    received(SECOND, 1, 0, 2);
    acked(0, 1, 2, 3);

    assertThat(ledger.fault()).contains("room 0, person 1: another order than the first member's");
  }

  @Test
  void anOrderThatSwapsWhatOneSenderSaidIsFound() {
    received(FIRST, 2, 1, 0);
    received(SECOND, 2, 1, 0);
    acked(0, 1, 2, 3);

    assertThat(ledger.fault()).contains("room 0: 0 of person 0 after its 2");
  }

  @Test
  void aMissingAcknowledgementIsFound() {
    received(FIRST, 0, 1, 2);
    received(SECOND, 0, 1, 2);
    acked(0, 1, 3);

    assertThat(ledger.fault()).contains("acknowledgements: lost 2 of 4");
  }

  @Test
  void anAcknowledgementThatCameTwiceIsFound() {
    received(FIRST, 0, 1, 2);
    received(SECOND, 0, 1, 2);
    acked(0, 1, 1, 2, 3);

    assertThat(ledger.fault()).contains("acknowledgements: repeated 1 of 4");
  }
}
