package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.SentMessage;
import io.confab.protocol.ClientId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class UnsettledSendsTest {
  private final UnsettledSends sends =
      new UnsettledSends(new PlainScreen(new PrintWriter(new StringWriter()), false));

  private static SentMessage stored(RoomId room, long rev) {
    return new SentMessage(room, new ClientId("c"), new Seq(1), new Rev(rev), 0, false);
  }

  @Test
  void theNewestIsThatOfItsRoom() {
    RoomId old = new RoomId(1);
    RoomId young = new RoomId(2);
    sends.stored(stored(old, 1_000));
    sends.stored(stored(old, 999));
    sends.stored(stored(young, 2));

    assertThat(sends.newest(old)).isEqualTo(new Rev(1_000));
    assertThat(sends.newest(young)).isEqualTo(new Rev(2));
    assertThat(sends.newest(new RoomId(3))).isEqualTo(Rev.ZERO);
  }
}
