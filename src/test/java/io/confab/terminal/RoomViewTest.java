package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ChatMessage;
import io.confab.client.ChatRoom;
import io.confab.client.HistoryPage;
import io.confab.client.HistoryQuery;
import io.confab.client.RoomUpdate;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RoomViewTest {
  private static final RoomId ROOM = new RoomId(1);
  private static final AccountId ADA = new AccountId(10);
  private static final AccountId BEN = new AccountId(11);

  private final StringWriter out = new StringWriter();
  private final RoomView view =
      new RoomView(
          new Transcript(ZoneOffset.UTC, ADA, _ -> "ben", new Receipts()),
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
    open(page, null, null);
  }

  private void open(HistoryPage page, @Nullable Seq readSeq, @Nullable Seq unreadFrom) {
    view.open(room(page, readSeq, unreadFrom), page, 20);
  }

  private static ChatRoom room(HistoryPage page, @Nullable Seq readSeq, @Nullable Seq unreadFrom) {
    return new ChatRoom(
        ROOM,
        "channel",
        "r",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        1,
        null,
        null,
        null,
        null,
        page.epoch(),
        page.seq(),
        page.rev(),
        readSeq,
        unreadFrom,
        readSeq == null ? null : 2L,
        readSeq == null ? null : 1L,
        null);
  }

  @Test
  void aClosedRoomShowsNothingUntilItIsOpenedAgain() {
    view.openClosed(room(page(1, said(50, "fifty")), null, null), null);
    view.show(new RoomUpdate.Said(said(51, "fifty-one")));
    assertThat(view.isClosed()).isTrue();
    assertThat(out.toString()).isEmpty();

    open(pageOf(said(50, "fifty"), said(51, "fifty-one")));
    view.show(new RoomUpdate.Said(said(51, "fifty-one")));
    view.show(new RoomUpdate.Said(said(52, "fifty-two")));
    assertThat(view.isClosed()).isFalse();
    assertThat(out.toString()).containsOnlyOnce("fifty-one").contains("fifty-two");
  }

  private static HistoryPage pageOf(ChatMessage... messages) {
    ChatMessage last = messages[messages.length - 1];
    return new HistoryPage(List.of(messages), true, false, new Epoch(1), last.seq(), last.rev());
  }

  @Test
  void aLineStandsWhereUnreadBegins() {
    open(pageOf(said(50, "old"), said(51, "new"), said(52, "newer")), new Seq(50), null);

    assertThat(out.toString().lines().map(line -> line.replaceAll("^[^ ]* #", "#")))
        .endsWith("#50 ben: old", "—— unread: 2 (@1) ——", "#51 ben: new", "#52 ben: newer");
    assertThat(view.newest()).isEqualTo(new Seq(52));
  }

  @Test
  void whatWasMarkedAsUnreadBeginsThereAndARoomThatIsReadHasNoLine() {
    open(pageOf(said(50, "kept"), said(51, "new")), new Seq(51), new Seq(50));
    assertThat(out.toString().lines().filter(line -> line.startsWith("——")).toList().getFirst())
        .isEqualTo("—— unread: 2 (@1) ——");

    out.getBuffer().setLength(0);
    open(pageOf(said(50, "old")));
    assertThat(out.toString()).doesNotContain("unread");
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

  private static SealedLine line(long seq, AccountId sender, String text) {
    return new SealedLine(
        ROOM,
        new Seq(seq),
        sender,
        new DeviceId("d"),
        new ClientId("s" + seq),
        0,
        text,
        null,
        null,
        null);
  }

  private void openSealed(@Nullable Seq readSeq, SealedLine... kept) {
    HistoryPage page = pageOf(said(1, "before"), said(2, "it was sealed"));
    view.open(
        room(page, readSeq, null),
        page,
        3,
        new SealedPage(new RoomSeal("olm1", new Seq(3)), List.of(kept)));
  }

  private List<String> printed() {
    return out.toString().lines().map(line -> line.replaceAll("^[^ ]* #", "#")).toList();
  }

  @Test
  void whatTheDeviceKeepsStandsBehindWhatIsPlain() {
    openSealed(null, line(3, BEN, "secret"), line(4, ADA, "answer"));

    assertThat(printed())
        .endsWith("#2 ben: it was sealed", "#3 🔒 ben: secret", "#4 🔒 ✓ ben: answer");
    assertThat(out.toString()).doesNotContain("before");
    assertThat(view.newest()).isEqualTo(new Seq(4));
    assertThat(view.before()).isEqualTo(HistoryQuery.before(new Seq(2)));
  }

  @Test
  void unreadBeginsInFrontOfASealedLineToo() {
    openSealed(new Seq(3), line(3, BEN, "old"), line(4, BEN, "new"));

    assertThat(printed()).endsWith("#3 🔒 ben: old", "—— unread: 2 (@1) ——", "#4 🔒 ben: new");
  }

  @Test
  void aSealedLineIsShownOnceAlsoWhenItComesLate() {
    openSealed(null, line(3, BEN, "kept"));

    assertThat(view.isNew(line(3, BEN, "kept"))).isFalse();
    assertThat(view.isNew(line(6, ADA, "own"))).isTrue();
    view.show(line(3, BEN, "kept"));
    view.show(line(6, ADA, "own"));
    view.show(line(5, BEN, "late"));
    view.show(line(5, BEN, "late"));

    assertThat(out.toString())
        .containsOnlyOnce("kept")
        .containsOnlyOnce("late")
        .containsSubsequence("own", "late");
    assertThat(view.newest()).isEqualTo(new Seq(6));
  }

  @Test
  void aRoomIsSealedFromTheMomentThatTellsIt() {
    open(page(1, said(50, "plain")));
    assertThat(view.seal()).isEmpty();

    view.show(
        new RoomUpdate.RoomSealed(
            new RoomUpdate.Change(ROOM, new Rev(51), BEN, 0), "olm1", new Seq(51), null));
    view.show(new RoomUpdate.Said(said(52, "injected")));

    assertThat(view.seal()).contains(new RoomSeal("olm1", new Seq(51)));
    assertThat(printed()).endsWith("#52 ⚠ not sealed: ben: injected");
    open(page(1, said(50, "plain")));
    assertThat(view.seal()).isEmpty();
  }

  @Test
  void aServerCannotRaiseFromWhereARoomIsSealed() {
    openSealed(null, line(3, BEN, "secret"));

    view.show(sealedFrom(2, 1_000));
    view.show(new RoomUpdate.Said(said(5, "injected")));

    assertThat(view.seal()).contains(new RoomSeal("olm1", new Seq(3)));
    assertThat(printed()).endsWith("#5 ⚠ not sealed: ben: injected");
  }

  private static RoomUpdate.RoomSealed sealedFrom(long rev, long from) {
    return new RoomUpdate.RoomSealed(
        new RoomUpdate.Change(ROOM, new Rev(rev), BEN, 0), "olm1", new Seq(from), null);
  }

  @Test
  void thatARoomWasSealedCountsAlsoWhereThePageIsNewer() {
    open(page(1, said(50, "plain")));
    view.show(sealedFrom(50, 51));
    assertThat(view.seal()).isPresent();

    view.openClosed(room(page(1, said(50, "plain")), null, null), null);
    assertThat(view.seal()).isEmpty();
    view.show(sealedFrom(51, 51));
    assertThat(view.seal()).isPresent();
  }

  @Test
  void aGapInASealedRoomSetsNothingBackAndPromisesNothing() {
    openSealed(null, line(8, BEN, "eight"));

    view.show(new RoomUpdate.Reset(ROOM, pageOf(said(1, "one"), said(2, "two")), true));

    assertThat(view.newest()).isEqualTo(new Seq(8));
    assertThat(out.toString()).doesNotContain("/history");
  }

  @Test
  void whatHistoryShowedIsNotShownAgain() {
    openSealed(null, line(8, BEN, "eight"));
    view.olderLines(List.of(line(7, BEN, "seven")));
    view.show(line(7, BEN, "seven"));

    assertThat(out.toString()).containsOnlyOnce("seven");
  }

  @Test
  void olderLinesStandBelowAndMoveOnlyTheOldest() {
    openSealed(null, line(8, BEN, "eight"), line(9, BEN, "nine"), line(10, BEN, "ten"));

    view.olderLines(List.of(line(6, BEN, "six"), line(7, BEN, "seven")));

    assertThat(printed()).endsWith("#6 🔒 ben: six", "#7 🔒 ben: seven", "—— the newest ——");
    assertThat(view.oldest()).contains(new Seq(6));
    assertThat(view.newest()).isEqualTo(new Seq(10));
  }
}
