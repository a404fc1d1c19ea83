package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.RoomSignal.OfSeat;
import io.confab.client.RoomSignal.SeatInside;
import io.confab.client.RoomSignal.SeatLost;
import io.confab.client.RoomSignal.SeatOffer;
import io.confab.client.RoomSignal.SeatWaiting;
import io.confab.protocol.RoomId;
import io.confab.screen.PlainScreen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SeatNoticesTest {
  private static final RoomId TEA = new RoomId(1);
  private static final RoomId GARDEN = new RoomId(2);

  private final StringWriter out = new StringWriter();
  private SeatNotices notices = notices(true);

  private SeatNotices notices(boolean terminal) {
    return new SeatNotices(
        new PlainScreen(new PrintWriter(out), terminal), room -> room.equals(TEA) ? "tea" : "g");
  }

  private static SeatWaiting waiting(long position, @Nullable Long estimateS) {
    return new SeatWaiting(TEA, position, position - 1, 12, estimateS, "p");
  }

  /// What is printed, each line without its mark.
  private String told(OfSeat seat) {
    out.getBuffer().setLength(0);
    notices.told(seat, Optional.of(TEA));
    return out.toString().strip();
  }

  private String status() {
    return notices.text(TEA).orElse("");
  }

  @Test
  void theStatusSaysTheSeatOrThePlaceAndTheTimeIfItIsKnown() {
    assertThat(status()).isEmpty();
    told(waiting(3, 90L));
    assertThat(status()).isEqualTo("place 3 of 12, about 2 min");
    told(waiting(2, 59L));
    assertThat(status()).isEqualTo("place 2 of 12, less than a minute");
    told(waiting(1, null));
    assertThat(status()).isEqualTo("place 1 of 12");
    told(new SeatOffer(TEA, 1));
    assertThat(status()).isEqualTo("a seat is kept for you");
    told(new SeatInside(TEA, 5, 8));
    assertThat(status()).isEqualTo("inside 5 of 8");
    assertThat(notices.text(GARDEN)).isEmpty();
    told(new SeatLost(TEA, "left"));
    assertThat(status()).isEmpty();
    told(new SeatInside(TEA, 5, 8));
    notices.end(TEA);
    assertThat(status()).isEmpty();
  }

  @Test
  void eachStepIsALineAndNoMoreThanThat() {
    assertThat(told(waiting(3, null))).startsWith("* you wait, place 3 of 12; you get in by");
    assertThat(told(waiting(2, null))).isEmpty();
    assertThat(told(new SeatInside(TEA, 8, 8))).isEqualTo("* you are inside 8 of 8");
    assertThat(told(new SeatInside(TEA, 8, 9))).isEmpty();
    assertThat(told(new SeatLost(TEA, "left"))).isEqualTo("* you are outside");
    assertThat(told(new SeatLost(TEA, "expired"))).startsWith("* you are outside: you were away");
    assertThat(told(new SeatLost(TEA, "removed"))).contains("/enter waits for another seat");
    assertThat(told(new SeatInside(GARDEN, 1, 2))).isEqualTo("* g: you are inside 1 of 2");
  }

  @Test
  void withoutAStatusEachOtherPlaceIsALine() {
    notices = notices(false);
    told(waiting(3, null));

    assertThat(told(waiting(2, null))).isEqualTo("* place 2 of 12");
    assertThat(told(waiting(2, 30L))).isEmpty();
  }

  @Test
  void whatIsTakenUpBeforeARoomIsOpenIsOnlyKept() {
    notices.told(new SeatInside(TEA, 5, 8), Optional.empty());

    assertThat(out.toString()).isEmpty();
    assertThat(status()).isEqualTo("inside 5 of 8");
  }
}
