package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.SentMessage;
import io.confab.protocol.ClientId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UnsettledSendsTest {
  private final StringWriter out = new StringWriter();
  private final AtomicLong clock = new AtomicLong();
  private final UnsettledSends sends =
      new UnsettledSends(new PlainScreen(new PrintWriter(out), false), clock::get);

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

  @Test
  void aSealedLineThatIsNotStoredAfterASecondIsToldOnce() {
    Promise<Void> slow = Promise.promise();
    sends.addLine(slow.future(), "slow");
    sends.addLine(Future.succeededFuture(), "fast");
    sends.print();
    assertThat(out.toString()).isEmpty();

    clock.set(1_000_000_001);
    sends.print();
    sends.print();
    assertThat(out.toString().lines()).containsExactly("◷ not stored yet: slow");

    slow.fail("the end");
    sends.print();
    assertThat(out.toString().lines()).endsWith("✗ the end: slow");
    assertThat(sends.failed()).isOne();
  }
}
