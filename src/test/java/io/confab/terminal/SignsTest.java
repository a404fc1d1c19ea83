package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.RoomSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignsTest {
  private static final RoomId ROOM = new RoomId(1);

  private final Signs signs = new Signs();

  private static RoomSignal typing(long account, boolean typing) {
    return new RoomSignal.Typing(ROOM, new AccountId(account), typing);
  }

  private String typers() {
    return signs.typers().text(ROOM, who -> "p" + who.value()).orElse("");
  }

  @Test
  void receiptsOnlyGoUpAndCoverWhatIsBelow() {
    assertThat(signs.receipts().text(ROOM)).isEmpty();
    assertThat(signs.take(new RoomSignal.Delivered(ROOM, new Seq(4)))).isTrue();
    assertThat(signs.take(new RoomSignal.Read(ROOM, new Seq(2)))).isTrue();
    assertThat(signs.take(new RoomSignal.Delivered(ROOM, new Seq(3)))).isFalse();

    assertThat(signs.receipts().of(ROOM, new Seq(1))).isEqualTo(Receipts.State.READ);
    assertThat(signs.receipts().of(ROOM, new Seq(4))).isEqualTo(Receipts.State.DELIVERED);
    assertThat(signs.receipts().of(ROOM, new Seq(5))).isEqualTo(Receipts.State.SENT);
    assertThat(signs.receipts().text(ROOM)).contains("#4 ✓✓ delivered");
    signs.take(new RoomSignal.Read(ROOM, new Seq(5)));
    assertThat(signs.receipts().text(ROOM)).contains("#5 ✓✓ read");
    signs.receipts().end(ROOM);
    assertThat(signs.receipts().text(ROOM)).isEmpty();
  }

  @Test
  void whatTwoSignalsSayTogetherIsToldOnce() {
    signs.take(new RoomSignal.Delivered(ROOM, new Seq(4)));
    signs.take(new RoomSignal.Read(ROOM, new Seq(2)));
    assertThat(signs.receipts().news(ROOM)).contains("#4 ✓✓ delivered");
    assertThat(signs.receipts().news(ROOM)).isEmpty();
    signs.take(new RoomSignal.Read(ROOM, new Seq(4)));
    assertThat(signs.receipts().news(ROOM)).contains("#4 ✓✓ read");
  }

  @Test
  void whoTypesIsNamedUpToTwo() {
    assertThat(typers()).isEmpty();
    assertThat(signs.take(typing(1, true))).isTrue();
    assertThat(typers()).isEqualTo("p1 is typing …");
    signs.take(typing(2, true));
    assertThat(typers()).isEqualTo("p1 and p2 are typing …");
    signs.take(typing(3, true));
    assertThat(typers()).isEqualTo("3 people are typing …");
    assertThat(signs.typers().text(new RoomId(2), _ -> "")).isEmpty();

    signs.take(typing(1, false));
    signs.take(typing(2, false));
    assertThat(signs.take(typing(2, false))).isFalse();
    assertThat(typers()).isEqualTo("p3 is typing …");
  }
}
