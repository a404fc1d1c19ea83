package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.feed.Visibility;
import io.confab.protocol.AccountId;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoomStreamTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId ANN = new AccountId(1);
  private static final AccountId BOB = new AccountId(2);

  private final FakeRooms rooms = new FakeRooms();
  private final FakeOutbound out = new FakeOutbound();
  private final List<RoomStream> behind = new ArrayList<>();
  private final List<LeaveReason> ended = new ArrayList<>();
  private final List<Seq> changed = new ArrayList<>();
  private int live;

  private RoomStream stream(long memberAt) {
    return stream(memberAt, Visibility.ALL);
  }

  private RoomStream stream(long memberAt, Visibility visibility) {
    RoomStream stream =
        new RoomStream(
            new RoomStream.Reader(
                ANN, new Rev(memberAt), visibility, new SeatRule(new Rev(memberAt), false, false)),
            ROOM,
            out,
            new RoomStream.Owner() {
              @Override
              public void behind(RoomStream stream) {
                behind.add(stream);
              }

              @Override
              public void ended(RoomStream stream, LeaveReason reason) {
                ended.add(reason);
              }

              @Override
              public void live(RoomStream stream) {
                live++;
              }

              @Override
              public boolean isInside(RoomId room) {
                return false;
              }

              @Override
              public void stands(RoomStream stream) {}

              @Override
              public void goesOn(RoomStream stream) {}

              @Override
              public void changed(RoomStream stream, Seq seq) {
                changed.add(seq);
              }
            });
    stream.subscribed(rooms.feeds.attach(ROOM, stream));
    return stream;
  }

  private boolean catchUp(RoomStream stream) {
    Future<Boolean> caughtUp = stream.catchUp(rooms);
    assertThat(caughtUp.succeeded()).isTrue();
    return caughtUp.result();
  }

  private static List<Object> revs(long from, long to) {
    return LongStream.rangeClosed(from, to).<Object>mapToObj(rev -> rev).toList();
  }

  @Test
  void saysNothingBeforeItIsOpened() {
    rooms.store(ROOM, 3);
    RoomStream stream = stream(3);
    assertThat(stream.whenReady().succeeded()).isTrue();
    rooms.say(ROOM);
    assertThat(out.sent).isEmpty();
    assertThat(stream.head()).isEqualTo(new Rev(4));
    assertThat(stream.position()).isEqualTo(new Rev(3));
  }

  @Test
  void itSaysWhenItHasAllAndOfLiveChangesOfWhichMessage() {
    rooms.store(ROOM, 3);
    RoomStream stream = stream(3);
    stream.open(new Rev(1));
    assertThat(live).isZero();
    while (!catchUp(stream)) {
      assertThat(live).isZero();
    }
    assertThat(live).isEqualTo(1);
    assertThat(changed).isEmpty();
    rooms.feeds.events(List.of(rooms.add(ROOM, new Event.OfChange(new Seq(2), new Rev(4), true))));
    assertThat(changed).containsExactly(new Seq(2));
  }

  @Test
  void ofWhatItMayNotSeeItGetsTheNumber() {
    rooms.store(ROOM, 4);
    RoomStream stream =
        stream(4, new Visibility(List.of(new Visibility.Span(new Rev(4), null, new Seq(4), null))));
    stream.open(new Rev(1));
    assertThat(catchUp(stream)).isFalse();
    assertThat(catchUp(stream)).isTrue();
    rooms.feeds.events(
        List.of(
            rooms.add(
                ROOM, new Event.OfChange(new Seq(2), new Rev(5), true)))); // an edit of an old one
    rooms.say(ROOM);
    assertThat(out.sent).containsExactly("hidden 2", "hidden 3", 4L, "hidden 5", 6L);
  }

  @Test
  void getsWhatItMissedAndThenWhatComes() {
    rooms.store(ROOM, 2);
    RoomStream stream = stream(2);
    rooms.say(ROOM);
    stream.open(new Rev(2));
    assertThat(behind).containsExactly(stream);
    rooms.say(ROOM);
    assertThat(out.sent).isEmpty();
    assertThat(catchUp(stream)).isTrue();
    rooms.say(ROOM);
    assertThat(out.sent).isEqualTo(revs(3, 5));
    assertThat(rooms.reads).isEmpty();
  }

  @Test
  void whatOneHasReadTheNextOneGetsWithoutARead() {
    rooms.store(ROOM, 5);
    RoomStream first = stream(0);
    first.open(new Rev(2));
    while (!catchUp(first)) {}
    int reads = rooms.reads.size();
    RoomStream second = stream(0);
    second.open(new Rev(3));
    assertThat(catchUp(second)).isTrue();
    assertThat(out.sent).containsExactly(3L, 4L, 5L, 4L, 5L);
    assertThat(rooms.reads).hasSize(reads);
  }

  private RoomSignal signal(long account) {
    RoomSignal signal =
        new RoomSignal(
            ROOM,
            new AccountId(account),
            new RoomSignal.State("typing", Duration.ZERO),
            Set.of(),
            new byte[0]);
    rooms.feeds.signal(signal);
    return signal;
  }

  @Test
  void aSignalGoesToLiveStreamsOfOthersOnly() {
    rooms.store(ROOM, 2);
    RoomStream stream = stream(2);
    signal(2);
    stream.open(Rev.ZERO);
    signal(2);
    assertThat(out.sent).isEmpty();
    while (!catchUp(stream)) {}
    RoomSignal shown = signal(2);
    signal(ANN.value());
    rooms.feeds.signal(
        new RoomSignal(
            new RoomId(99),
            new AccountId(2),
            new RoomSignal.State("typing", Duration.ZERO),
            Set.of(),
            new byte[0]));
    assertThat(out.sent).containsExactly(1L, 2L, shown);
    rooms.leave(ROOM, ANN, LeaveReason.REMOVED);
    signal(2);
    assertThat(out.sent).containsExactly(1L, 2L, shown);
  }

  @Test
  void aFullSocketGetsNoSignalAndDoesNotFallBehindForIt() {
    RoomStream stream = stream(0);
    stream.open(Rev.ZERO);
    catchUp(stream);
    behind.clear();
    out.full = true;
    for (int i = 0; i < 10_000; i++) {
      signal(2);
    }
    assertThat(out.sent).isEmpty();
    assertThat(behind).isEmpty();
    out.drain();
    rooms.say(ROOM);
    assertThat(out.sent).containsExactly(1L);
  }

  private RoomStream live() {
    RoomStream stream = stream(0);
    stream.open(Rev.ZERO);
    catchUp(stream);
    behind.clear();
    return stream;
  }

  @Test
  void aStreamThatIsOfferedAnythingButItsNextRevFallsBehindAndReads() {
    RoomStream stream = live();
    rooms.say(ROOM);
    stream.event(rooms.add(ROOM, null)); // the next one,
    stream.event(rooms.add(ROOM, null));
    rooms.store(ROOM, 1); // one that nobody offers,
    stream.event(rooms.add(ROOM, null)); // and one behind it
    assertThat(out.sent).isEqualTo(revs(1, 3));
    assertThat(behind).containsExactly(stream);
    rooms.feeds.refresh(ROOM);
    while (!catchUp(stream)) {}
    rooms.say(ROOM);
    assertThat(out.sent).isEqualTo(revs(1, 6));
  }

  @Test
  void aSocketThatThrowsGetsWhatItMissedAlsoWhenNothingFollows() {
    RoomStream stream = live();
    rooms.say(ROOM);
    out.throwsOnce = true;
    rooms.say(ROOM);
    assertThat(behind).containsExactly(stream);
    assertThat(catchUp(stream)).isTrue();
    assertThat(out.sent).isEqualTo(revs(1, 2));
  }

  @Test
  void readsPagesUntilItMeetsItsFeed() {
    rooms.store(ROOM, 450);
    RoomStream stream = stream(450);
    stream.open(Rev.ZERO);
    assertThat(catchUp(stream)).isFalse();
    assertThat(out.sent).hasSize(200);
    rooms.say(ROOM);
    assertThat(catchUp(stream)).isFalse();
    assertThat(out.sent).hasSize(400);
    while (!catchUp(stream)) {
      assertThat(out.sent).hasSizeLessThan(1_000);
    }
    rooms.say(ROOM);
    assertThat(out.sent).isEqualTo(revs(1, 452));
  }

  @Test
  void aFullSocketPutsItBehindAndNothingIsLostOrTwice() {
    RoomStream stream = stream(0);
    stream.open(Rev.ZERO);
    catchUp(stream);
    rooms.say(ROOM);
    out.full = true;
    behind.clear();
    rooms.say(ROOM);
    rooms.say(ROOM);
    assertThat(behind).containsExactly(stream);
    assertThat(out.sent).isEqualTo(revs(1, 1));
    out.full = false;
    rooms.say(ROOM);
    assertThat(out.sent).isEqualTo(revs(1, 1));
    assertThat(catchUp(stream)).isTrue();
    rooms.say(ROOM);
    assertThat(out.sent).isEqualTo(revs(1, 5));
  }

  @Test
  void aPageEndsWhereTheSocketIsFullAndTheNextGoesOnThere() {
    rooms.store(ROOM, 450);
    RoomStream stream = stream(450);
    stream.open(Rev.ZERO);
    out.takes.set(30);
    assertThat(catchUp(stream)).isFalse();
    assertThat(out.sent).isEqualTo(revs(1, 30));
    do {
      rooms.say(ROOM); // what is released meanwhile waits with the rest
      assertThat(out.sent).hasSizeLessThan(1_000);
      out.takes.set(20);
    } while (!catchUp(stream));
    rooms.say(ROOM);
    assertThat(out.sent).isEqualTo(revs(1, out.sent.size())).hasSizeGreaterThan(450);
  }

  @Test
  void pagesAreAsSmallAsTheSocketTakesAndGrowAgain() {
    rooms.store(ROOM, 900);
    RoomStream stream = stream(900);
    stream.open(Rev.ZERO);
    for (int i = 0; i < 8; i++) {
      out.takes.set(3);
      catchUp(stream);
    }
    assertThat(rooms.limits).containsExactly(200, 100, 50, 25, 12, 6, 4, 4);
    out.takes.set(Integer.MAX_VALUE);
    while (!catchUp(stream)) {
      assertThat(out.sent).hasSizeLessThan(1_000);
    }
    assertThat(rooms.limits).contains(8, 16, 32, 64, 128, 200);
    assertThat(out.sent).isEqualTo(revs(1, 900));
  }

  @Test
  void aFailedReadLeavesItBehindWhereItWas() {
    rooms.store(ROOM, 100);
    RoomStream stream = stream(100);
    stream.open(new Rev(10));
    rooms.away = true;
    assertThat(stream.catchUp(rooms).failed()).isTrue();
    rooms.away = false;
    while (!catchUp(stream)) {
      assertThat(out.sent).hasSizeLessThan(1_000);
    }
    assertThat(out.sent).isEqualTo(revs(11, 100));
  }

  @Test
  void itsOwnDepartureEndsIt() {
    RoomStream stream = stream(0);
    stream.open(Rev.ZERO);
    catchUp(stream);
    rooms.say(ROOM);
    rooms.leave(ROOM, BOB, LeaveReason.LEFT);
    rooms.leave(ROOM, ANN, LeaveReason.REMOVED);
    rooms.say(ROOM);
    assertThat(out.sent).isEqualTo(revs(1, 2));
    assertThat(ended).containsExactly(LeaveReason.REMOVED);
  }

  @Test
  void aDepartureBeforeTheMembershipIsHistory() {
    rooms.leave(ROOM, ANN, LeaveReason.LEFT);
    rooms.store(ROOM, 2);
    RoomStream stream = stream(3);
    stream.open(Rev.ZERO);
    while (!catchUp(stream)) {
      assertThat(out.sent).hasSizeLessThan(1_000);
    }
    assertThat(out.sent).isEqualTo(revs(1, 3));
    assertThat(ended).isEmpty();
  }

  @Test
  void aDepartureFoundWhileReadingEndsItThere() {
    rooms.store(ROOM, 5);
    rooms.leave(ROOM, ANN, LeaveReason.BANNED);
    rooms.store(ROOM, 100);
    RoomStream stream = stream(0);
    stream.open(Rev.ZERO);
    assertThat(catchUp(stream)).isTrue();
    assertThat(out.sent).isEqualTo(revs(1, 5));
    assertThat(ended).containsExactly(LeaveReason.BANNED);
  }

  @Test
  void oneThatWasEndedFromOutsideIsSilent() {
    RoomStream stream = stream(0);
    stream.open(Rev.ZERO);
    catchUp(stream);
    stream.end();
    rooms.say(ROOM);
    assertThat(out.sent).isEmpty();
    assertThat(catchUp(stream)).isTrue();
  }
}
