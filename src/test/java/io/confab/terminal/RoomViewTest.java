package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ChatMessage;
import io.confab.client.ChatRoom;
import io.confab.client.HistoryPage;
import io.confab.client.HistoryQuery;
import io.confab.client.RoomUpdate;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class RoomViewTest {
  private static final RoomId ROOM = new RoomId(1);
  private static final AccountId ADA = new AccountId(10);
  private static final AccountId BEN = new AccountId(11);

  private final StringWriter out = new StringWriter();
  private final RoomView view =
      new RoomView(
          new Transcript(ZoneOffset.UTC, ADA, _ -> "ben"),
          _ -> {},
          new PlainScreen(new PrintWriter(out), false));

  private static ChatMessage said(long number, String body) {
    return new ChatMessage(
        ROOM,
        new Seq(number),
        new Rev(number),
        null,
        BEN,
        new ClientId("c" + number),
        "text",
        body,
        null,
        null,
        0,
        null,
        null,
        null);
  }

  private static HistoryPage page(long epoch, ChatMessage last) {
    return new HistoryPage(List.of(last), true, false, new Epoch(epoch), last.seq(), last.rev());
  }

  private void open(HistoryPage page) {
    view.open(
        new ChatRoom(
            ROOM,
            "channel",
            "r",
            null,
            null,
            null,
            null,
            null,
            null,
            1,
            null,
            page.epoch(),
            page.seq(),
            page.rev(),
            null),
        page,
        20);
  }

  @Test
  void whatAPageShowedAlreadyIsNotShownAgain() {
    open(page(1, said(50, "fifty")));

    view.show(new RoomUpdate.Said(said(50, "fifty")));
    view.show(new RoomUpdate.Reset(ROOM, page(1, said(50, "fifty")), false));
    view.show(new RoomUpdate.Said(said(51, "fifty-one")));

    assertThat(out.toString()).containsOnlyOnce("fifty\n").containsOnlyOnce("fifty-one");
  }

  @Test
  void afterARestoreTheLowerNumbersAreShown() {
    open(page(1, said(50, "lost by the restore")));

    view.show(new RoomUpdate.Reset(ROOM, page(2, said(40, "restored")), true));
    view.show(new RoomUpdate.Said(said(41, "new")));

    assertThat(out.toString()).contains("#40 ben: restored", "#41 ben: new");
    assertThat(view.shown()).isEqualTo(new Rev(41));
    assertThat(view.before()).isEqualTo(HistoryQuery.before(new Seq(40)));
  }
}
