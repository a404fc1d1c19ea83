package io.confab.http;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.message.MessageCommand.HistoryPage;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.SendFields;
import io.confab.protocol.Seq;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExportTest {
  private final List<Seq> asked = new ArrayList<>();

  /// A room of ten messages, a page each.
  private Future<HistoryPage> page(Seq after) {
    asked.add(after);
    Seq seq = new Seq(after.value() + 1);
    Message message =
        Message.sent(
            new RoomId(7),
            seq,
            new Rev(seq.value()),
            new AccountId(1),
            new SendFields(new ClientId("c"), MessageType.TEXT, "b", null, null),
            null,
            1);
    return Future.succeededFuture(
        new HistoryPage(
            List.of(message), true, seq.value() < 10, new Epoch(1), new Seq(10), new Rev(10)));
  }

  @Test
  void pagesAreReadAsTheyAreTakenOneAhead() {
    TestSubscriber<Buffer> reader = get(Export.begin(this::page)).test(0);
    assertThat(asked).containsExactly(Seq.ZERO);
    for (int taken = 1; taken < 9; taken++) {
      reader.request(1);
      reader.assertValueCount(taken).assertNotComplete();
      assertThat(asked).hasSize(taken + 1);
    }
    reader.request(2);
    reader.assertValueCount(10).assertComplete();
    assertThat(asked).hasSize(10);
    assertThat(reader.values().getLast().toString())
        .contains("\"end\":true")
        .contains("count\":10");
  }

  @Test
  void nothingIsReadForACallerWhoIsGone() {
    TestSubscriber<Buffer> reader = get(Export.begin(this::page)).test(3);
    reader.cancel();
    reader.request(5);
    assertThat(asked).hasSize(4);
  }

  @Test
  void aPageThatCannotBeReadEndsItWithoutTheLastLine() {
    TestSubscriber<Buffer> reader =
        get(Export.begin(
                after ->
                    after.value() < 2
                        ? page(after)
                        : Future.failedFuture(Refusal.unavailable("the database is away"))))
            .test();
    reader.assertValueCount(2).assertError(Refusal.class);
    assertThat(reader.values().getLast().toString()).doesNotContain("\"end\"");
  }
}
