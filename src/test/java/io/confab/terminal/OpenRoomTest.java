package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ChatRoom;
import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.CredentialStore;
import io.confab.client.HistoryPage;
import io.confab.client.Member;
import io.confab.client.RoomUpdate;
import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.KnownSeal;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Warning;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A sealed room on the screen. No server is asked.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class OpenRoomTest {
  private static final RoomId TEA = new RoomId(1);
  private static final AccountId ADA = new AccountId(10);
  private static final AccountId BEN = new AccountId(11);

  private static final HistoryPage PAGE =
      new HistoryPage(List.of(), false, false, new Epoch(1), new Seq(12), new Rev(20));

  private final StringWriter out = new StringWriter();
  private final PlainScreen screen = new PlainScreen(new PrintWriter(out), false);
  private final ChatQueue queue = new ChatQueue();
  private final List<String> seen = new ArrayList<>();
  private final List<SealedLine> kept = new ArrayList<>();
  private final List<RoomId> members = new ArrayList<>();
  private int followed;
  private final Rooms rooms = new Rooms();
  private final RoomView view;
  private final Reading reading;
  private final SealedOpening sealed;
  private final SealedStatus trust;
  private final SealedEvents events;
  private final OpenRoom open;
  private final ConfabApi api;

  OpenRoomTest(Vertx vertx) {
    api = new ConfabApi(vertx, List.of(URI.create("http://127.0.0.1:1")), CredentialStore.memory());
    Receipts receipts = new Receipts();
    view = new RoomView(new Transcript(ZoneOffset.UTC, ADA, _ -> "ben", receipts), _ -> {}, screen);
    reading = new Reading(new ConfabClient(api, ClientOptions.usual(), new ClientListener() {}));
    trust = new SealedStatus(rooms, this::members, ADA, queue, screen);
    SealedNotices notices = new SealedNotices(screen, ADA, _ -> "ben", "");
    SealedStates states = new SealedStates(rooms, receipts, queue, screen, _ -> "ben");
    sealed = new SealedOpening(rooms, screen, notices, states, trust);
    Names names = new Names(api);
    open =
        new OpenRoom(
            new RoomOpening(
                api, screen, names, new SeatNotices(screen, names::title), view, sealed),
            view,
            reading,
            new News(ADA),
            rooms,
            () -> 0);
    EmojiDialog emojis = new EmojiDialog(rooms, _ -> "ben", screen);
    LinkDialog links = new LinkDialog(rooms, screen, DeviceNames.none(), () -> {});
    events = new SealedEvents(screen, open, notices, states, trust, emojis, links);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private final class Rooms implements SealedAccess {
    private @Nullable KnownSeal known;

    @Override
    public Future<Optional<KnownSeal>> seal(RoomId room) {
      return Future.succeededFuture(Optional.ofNullable(known));
    }

    @Override
    public Future<Void> follow(RoomId room, Seq from) {
      followed++;
      return Future.succeededFuture();
    }

    @Override
    public void seen(RoomId room, Seq from, Seq upTo) {
      seen.add(from + "-" + upTo);
    }

    @Override
    public Future<List<SealedLine>> lines(RoomId room, @Nullable Seq before, int most) {
      return Future.succeededFuture(List.copyOf(kept));
    }
  }

  private Future<List<Member>> members(RoomId room) {
    members.add(room);
    return Future.succeededFuture(List.of());
  }

  private static SealedLine line(long seq) {
    return new SealedLine(
        TEA,
        new Seq(seq),
        BEN,
        new DeviceId("d"),
        new ClientId("c" + seq),
        0,
        "line " + seq,
        30,
        null,
        null);
  }

  private static ChatRoom tea() {
    return new ChatRoom(
        TEA,
        "group",
        "tea",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        2,
        null,
        null,
        null,
        null,
        PAGE.epoch(),
        PAGE.seq(),
        PAGE.rev(),
        null,
        null,
        null,
        null,
        null);
  }

  /// Of ten lines, the last three are on the screen.
  private void openTea() {
    for (int seq = 3; seq <= 12; seq++) {
      kept.add(line(seq));
    }
    SealedPage sealedPage = new SealedPage(new RoomSeal("olm1", new Seq(3)), kept);
    view.open(tea(), PAGE, 3, sealedPage);
    sealed.open(TEA, new RoomSeal("olm1", new Seq(3)), List.of(), new Seq(13));
    sealed.opened(TEA);
    reading.opened(TEA);
    open.seen();
    queue.runAll();
  }

  @Test
  void whoSealsARoomSeesThatInTheStatus() {
    RoomSeal seal = new RoomSeal("olm1", new Seq(13));
    view.open(tea(), PAGE, 3, new SealedPage(null, List.of()));
    view.sealed(seal); // the answer to the command comes before the update

    open.updated(new RoomUpdate.RoomSealed(change(21), seal.suite(), seal.from(), null));
    queue.runAll();

    assertThat(trust.text(TEA)).contains("sealed, not verified");
  }

  @Test
  void onlyWhatIsOnTheScreenWasSeen() {
    openTea();
    assertThat(seen).containsExactly("10-12");

    open.shown(line(13));
    assertThat(seen.getLast()).isEqualTo("10-13");
    open.shown(line(5));
    assertThat(seen.getLast()).isEqualTo("5-5");
    view.olderLines(List.of(line(8), line(9)));
    open.seen();
    assertThat(seen.getLast()).isEqualTo("8-13");
  }

  @Test
  void whatIsToStayUnreadWasNotSeen() {
    openTea();
    seen.clear();
    reading.pause();

    open.shown(line(13));
    open.shown(line(5));
    assertThat(seen).isEmpty();

    reading.goOn();
    open.seen();
    assertThat(seen).containsExactly("10-13");
  }

  @Test
  void whatWasMissedIsShownFromWhatIsKept() {
    openTea();
    kept.add(line(13));
    kept.add(line(14));

    open.missed();

    assertThat(out.toString()).containsOnlyOnce("line 13").containsOnlyOnce("line 14");
    assertThat(seen.getLast()).isEqualTo("10-14");
  }

  @Test
  void linesOfThePastComeToTheRoomThatIsOpenAndLeaveItAsItIs() {
    openTea();
    open.shown(line(40));
    reading.pause();
    seen.clear();
    IntStream.range(13, 43).forEach(seq -> kept.add(line(seq)));
    out.getBuffer().setLength(0);

    open.came();

    assertThat(out.toString().lines().map(line -> line.replaceAll("^.*ben: ", "")))
        .containsExactly(
            Stream.of(
                    Stream.of("* What was said before is here now; /history shows what is older."),
                    Stream.of("—— Thursday, 1 January 1970 ——"),
                    IntStream.range(22, 43).filter(seq -> seq != 40).mapToObj(seq -> "line " + seq),
                    Stream.of("—— the newest ——"))
                .flatMap(lines -> lines)
                .toArray(String[]::new));
    assertThat(view.oldest()).contains(new Seq(22));
    assertThat(view.newest()).isEqualTo(new Seq(42));
    assertThat(reading.isPaused()).isTrue();
    assertThat(seen).isEmpty();

    out.getBuffer().setLength(0);
    open.came();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aRoomThatAnotherDeviceKnewToBeSealedIsSealedOnTheScreenToo() {
    view.open(tea(), PAGE, 3, new SealedPage(null, List.of()));
    rooms.known = new KnownSeal("olm1", new Seq(3));
    kept.add(line(4));

    open.came();

    assertThat(open.isSealed()).isTrue();
    assertThat(trust.text(TEA)).isPresent();
    assertThat(out.toString()).contains("is not sealed; it is, and stays so", "ben: line 4");
  }

  @Test
  void whetherTheOthersAreBelievedIsAskedAnewWhenSomebodyComesOrGoes() {
    openTea();
    assertThat(members).hasSize(1);

    open.updated(new RoomUpdate.MemberJoined(change(21), BEN));
    queue.runAll();
    open.updated(new RoomUpdate.MemberLeft(change(22), BEN, "left"));
    queue.runAll();
    open.updated(new RoomUpdate.MembersChanged(change(23), 2, 1));
    queue.runAll();

    assertThat(members).hasSize(4);
  }

  @Test
  void atEachConnectionWhatBecameOfTheLinesIsAskedAnew() {
    openTea();
    followed = 0;

    events.state(SealedState.NOT_LINKED);
    assertThat(followed).isZero();
    events.state(SealedState.READY);
    assertThat(followed).isOne();
  }

  @Test
  void noWarningThatIsRepeatedOrConcernsNoIdentityAsksTheServer() {
    openTea();
    members.clear();

    for (int i = 0; i < 100; i++) {
      events.warned(new Warning(BEN, null, Doubt.UNDECRYPTABLE));
      events.warned(new Warning(BEN, null, Doubt.CHANGED_IDENTITY));
      queue.runAll();
    }
    assertThat(members).hasSize(1);

    events.believed(BEN);
    queue.runAll();
    assertThat(members).hasSize(2);
  }

  @Test
  void linesThatWaitedAreHeadedWhereTheyAreNewAndCountedWhereTheyAreElsewhere() {
    openTea();
    events.released(List.of(line(12)));
    assertThat(out.toString()).doesNotContain("waited");

    SealedLine there = line(13);
    events.released(List.of(there, in(new RoomId(2), there), in(new RoomId(3), there)));

    assertThat(out.toString())
        .contains("* 2 lines of other rooms waited")
        .containsSubsequence("* What follows waited", "line 13");
  }

  private static SealedLine in(RoomId room, SealedLine line) {
    return new SealedLine(
        room,
        line.seq(),
        line.senderId(),
        line.senderDeviceId(),
        line.clientId(),
        line.ts(),
        line.text(),
        null,
        null,
        null);
  }

  @Test
  void noNameStandsBeforeWhetherTheRoomIsSealed() {
    openTea();
    StatusLine status =
        new StatusLine(
            view,
            new ConnectionNotice(screen),
            new SeatNotices(screen, _ -> ""),
            new News(ADA),
            new Names(api),
            new Signs(),
            Around.nobody(),
            trust);

    assertThat(status.text()).isEqualTo("sealed, not verified · " + TEA);
  }

  private static RoomUpdate.Change change(long rev) {
    return new RoomUpdate.Change(TEA, new Rev(rev), ADA, 0);
  }
}
