package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.ChangeCount;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.feed.AccountSignal.MarkerMoved;
import io.confab.feed.AccountSignal.OthersRead;
import io.confab.feed.AccountSignal.UnreadChanged;
import io.confab.marker.MarkerCommand.Markers;
import io.confab.marker.MarkerCommand.ReadMarker;
import io.confab.marker.MarkerCommand.ReadMarkers;
import io.confab.marker.MarkerCommand.RoomMarks;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Marks;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame.Marker;
import io.confab.protocol.ServerFrame.Receipt;
import io.confab.protocol.ServerFrame.Unread;
import io.confab.protocol.SessionId;
import io.confab.room.RoomCommand.Membership;
import io.confab.room.RoomCommand.Memberships;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// One session of Ann, in a room that is live.
class SessionMarkersTest {
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ROOM = new RoomId(7);

  private final FakeOutbound out = new FakeOutbound();
  private Markers found = new Markers(List.of());
  private @Nullable Promise<Markers> late;
  private final KnownRooms known = new KnownRooms();
  private final FakeMarkersLoop loop =
      new FakeMarkersLoop(
          new Requests() {
            @Override
            @SuppressWarnings("unchecked")
            public <R extends BusMessage> Future<R> request(Command<R> command) {
              assertThat(command).isInstanceOfAny(ReadMarkers.class, ReadMarker.class);
              return (Future<R>) (late == null ? Future.succeededFuture(found) : late.future());
            }
          });
  private final SessionMarkers markers =
      new SessionMarkers(ANN, new SessionId("s"), out, new ChangeCount(0), known, loop);

  private void othersRead(long read, long delivered) {
    othersRead(read, delivered, new Rev(20));
  }

  private void othersRead(long read, long delivered, Rev asOf) {
    markers.othersRead(new OthersRead(ANN, ROOM, new Seq(read), new Seq(delivered), asOf));
  }

  private static Receipt receipt(long seq, String status) {
    return new Receipt(ROOM, new Seq(seq), status);
  }

  @Test
  void whatOthersHaveReadNeverGoesBackWhicheverNodeTellsItLast() {
    othersRead(12, 12);
    othersRead(10, 10);
    othersRead(10, 11);
    assertThat(out.sent).containsExactly(receipt(12, "read"));
    othersRead(12, 14);
    othersRead(13, 14);
    assertThat(out.sent)
        .containsExactly(receipt(12, "read"), receipt(14, "delivered"), receipt(13, "read"));
  }

  @Test
  void anotherMembershipBeginsAnew() {
    othersRead(12, 12);
    markers.forget(ROOM);
    othersRead(3, 3);
    assertThat(out.sent).containsExactly(receipt(12, "read"), receipt(3, "read"));
  }

  @Test
  void whatAFullSocketDidNotTakeIsToldLater() {
    out.full = true;
    othersRead(12, 12);
    assertThat(out.sent).isEmpty();
    out.full = false;
    out.drain();
    assertThat(loop.compares).isEqualTo(1);
    othersRead(12, 12);
    assertThat(out.sent).containsExactly(receipt(12, "read"));
  }

  private static Marks othersHaveRead(long seq) {
    return new Marks(Seq.ZERO, Seq.ZERO, null, new Seq(seq), new Seq(seq));
  }

  @Test
  void aSocketThatIsBeingClosedIsToldNothing() {
    out.full = true;
    out.closing = true;
    othersRead(12, 12);
    markers.compare(new ChangeCount(0, 1, 0));
    welcomed(12);
    markers.live(new RoomId(1));
    assertThat(out.sent).isEmpty();
  }

  /// What `welcome` knew of rooms, in each of which others have read up to there.
  private void welcomed(long... seqs) {
    List<Membership> rooms = new ArrayList<>();
    for (int i = 0; i < seqs.length; i++) {
      rooms.add(
          new Membership(
              new RoomId(i + 1),
              Seq.ZERO,
              Rev.ZERO,
              true,
              true,
              othersHaveRead(seqs[i]),
              false,
              false));
    }
    markers.welcomed(new Memberships(new Epoch(1), rooms, false));
  }

  @Test
  void whatWelcomeKnewIsToldOnceAFullSocketHasDrained() {
    welcomed(12);
    out.full = true;
    markers.live(new RoomId(1));
    assertThat(out.sent).isEmpty();
    out.drain();
    assertThat(out.sent).contains(new Receipt(new RoomId(1), new Seq(12), "read"));
    assertThat(loop.compares).isZero();
  }

  @Test
  void whatAComparisonFoundIsToldInPartsAsTheSocketDrains() {
    found =
        new Markers(
            LongStream.rangeClosed(1, 3)
                .mapToObj(
                    room -> new RoomMarks(new RoomId(room), othersHaveRead(room), 1, Rev.ZERO))
                .toList());
    out.full = true;
    markers.compare(new ChangeCount(0, 1, 0));
    assertThat(out.sent).isEmpty();
    out.drain();
    assertThat(out.sent)
        .contains(
            new Receipt(new RoomId(1), new Seq(1), "read"),
            new Receipt(new RoomId(2), new Seq(2), "read"),
            new Receipt(new RoomId(3), new Seq(3), "read"));
    assertThat(loop.compares).isZero();
    assertThat(loop.recounted).containsExactly(new RoomId(1), new RoomId(2), new RoomId(3));
  }

  private static MarkerMoved moved(RoomId room, long read, long version) {
    return new MarkerMoved(ANN, room, new Seq(read), new Seq(read), null, version, null);
  }

  private static Marker own(RoomId room, long read) {
    return new Marker(room, ANN, new Seq(read), new Seq(read), null);
  }

  private static RoomMarks marks(RoomId room, long read, long othersRead, long version) {
    Seq others = new Seq(othersRead);
    return new RoomMarks(
        room, new Marks(new Seq(read), new Seq(read), null, others, others), version, new Rev(20));
  }

  @Test
  void whatHasMovedWhileAComparisonLookedIsNotTakenBackByIt() {
    Promise<Markers> looking = Promise.promise();
    late = looking;
    markers.compare(new ChangeCount(0, 1, 0));
    markers.moved(moved(ROOM, 4, 8));
    looking.complete(new Markers(List.of(marks(ROOM, 0, 3, 7))));
    assertThat(out.sent).containsExactly(own(ROOM, 4), receipt(3, "read"));
  }

  @Test
  void inHoweverManyRoomsThatIs() {
    Promise<Markers> looking = Promise.promise();
    late = looking;
    markers.compare(new ChangeCount(0, 1, 0));
    List<RoomMarks> before = new ArrayList<>();
    for (int room = 1; room <= 100; room++) {
      markers.moved(moved(new RoomId(room), 4, 8));
      markers.othersRead(new OthersRead(ANN, new RoomId(room), new Seq(2), new Seq(2), Rev.ZERO));
      before.add(marks(new RoomId(room), 0, 1, 7));
    }
    out.sent.clear();
    looking.complete(new Markers(before));
    assertThat(out.sent).isEmpty();
  }

  @Test
  void whatAComparisonFoundIsNotTakenBackByAnEarlierMove() {
    found = new Markers(List.of(marks(ROOM, 4, 0, 8)));
    markers.compare(new ChangeCount(0, 1, 0));
    markers.moved(moved(ROOM, 3, 7));
    assertThat(out.sent).containsExactly(own(ROOM, 4));
  }

  @Test
  void anotherMembershipMayHaveBegunBeforeTheLastMoveOfTheOneBefore() {
    markers.moved(moved(ROOM, 4, 8));
    markers.forget(ROOM);
    found = new Markers(List.of(marks(ROOM, 5, 0, 7)));
    markers.compare(new ChangeCount(0, 1, 0));
    assertThat(out.sent).containsExactly(own(ROOM, 4), own(ROOM, 5));
  }

  private static UnreadChanged count(long unread, long version) {
    return new UnreadChanged(ANN, ROOM, unread, 0, unread, new Seq(version), new Rev(20), version);
  }

  private static Unread told(long unread, long version) {
    return new Unread(ROOM, unread, 0, unread, new Seq(version));
  }

  @Test
  void anOlderCountNeverFollowsANewerOne() {
    markers.unread(count(0, 8));
    markers.unread(count(3, 7));
    markers.unread(count(1, 9));
    assertThat(out.sent).containsExactly(told(0, 8), told(1, 9));
  }

  /// The session knows one membership of a room, as it was found at this rev.
  private void memberAt(RoomId room, long rev) {
    known.welcomed(
        new Memberships(
            new Epoch(1),
            List.of(
                new Membership(
                    room, Seq.ZERO, new Rev(rev), true, true, Marks.at(Seq.ZERO), false, false)),
            false));
  }

  @Test
  void whatANodeTellsLateOfAFormerMembershipIsToldToNobodyAndLookedUp() {
    memberAt(ROOM, 21);
    othersRead(12, 12);
    assertThat(out.sent).isEmpty();
    assertThat(loop.compares).isEqualTo(1);

    found = new Markers(List.of(new RoomMarks(ROOM, othersHaveRead(3), 1, new Rev(21))));
    markers.compare(new ChangeCount(0));
    assertThat(out.sent).contains(receipt(3, "read")).doesNotContain(receipt(12, "read"));
    othersRead(4, 4, new Rev(21));
    assertThat(out.sent).contains(receipt(4, "read"));
    assertThat(loop.compares).isEqualTo(1);
  }

  @Test
  void anAnswerThatIsOfAFormerMembershipIsToldToNobody() {
    Promise<Markers> looking = Promise.promise();
    late = looking;
    markers.compare(new ChangeCount(0, 1, 0));
    memberAt(ROOM, 21);
    looking.complete(new Markers(List.of(marks(ROOM, 4, 3, 7))));
    assertThat(out.sent).isEmpty();
  }

  @Test
  void ofAMembershipThatIsFoundLaterNothingIsToldUntilItIsLookedAt() {
    welcomed(12);
    RoomId room = new RoomId(1);
    markers.begun(room);
    markers.moved(moved(room, 4, 8));
    markers.othersRead(new OthersRead(ANN, room, new Seq(5), new Seq(5), new Rev(20)));
    found = new Markers(List.of(marks(room, 4, 5, 8)));
    markers.compare(new ChangeCount(0, 1, 0));
    markers.live(room);
    assertThat(out.sent).isEmpty();
    assertThat(markers.isUnlooked(room)).isTrue();

    markers.look(room);
    assertThat(out.sent).containsExactly(own(room, 4), new Receipt(room, new Seq(5), "read"));
    assertThat(markers.isUnlooked(room)).isFalse();
    markers.othersRead(new OthersRead(ANN, room, new Seq(6), new Seq(6), new Rev(20)));
    assertThat(out.sent).endsWith(new Receipt(room, new Seq(6), "read"));
  }

  @Test
  void aMembershipThatBeganWhileAnotherOneWasLookedAtIsLookedAtItself() {
    Promise<Markers> looking = Promise.promise();
    late = looking;
    markers.look(ROOM);
    markers.begun(ROOM);
    looking.complete(new Markers(List.of(marks(ROOM, 4, 3, 7))));
    assertThat(out.sent).isEmpty();
  }

  @Test
  void aMoveFromBeforeTheLastComparisonIsLookedUp() {
    markers.compare(new ChangeCount(0, 1, 5));
    markers.moved(moved(ROOM, 4, 4_999));
    assertThat(out.sent).isEmpty();
    assertThat(loop.compares).isEqualTo(1);
    markers.moved(moved(ROOM, 5, 5_000));
    assertThat(out.sent).containsExactly(own(ROOM, 5));
  }

  @Test
  void whatIsLateAndSaysNothingNewIsNotLookedUpAndAnythingElseOnce() {
    othersRead(12, 12);
    memberAt(ROOM, 21);
    othersRead(11, 12);
    assertThat(loop.compares).isZero();
    othersRead(11, 13);
    othersRead(14, 14);
    assertThat(loop.compares).isEqualTo(1);
    assertThat(out.sent).containsExactly(receipt(12, "read"));
  }

  @Test
  void aCountOfAFormerMembershipIsMadeAnew() {
    memberAt(ROOM, 21);
    markers.unread(count(3, 7));
    assertThat(out.sent).isEmpty();
    assertThat(loop.recounted).containsExactly(ROOM);
    memberAt(ROOM, 20);
    markers.unread(count(3, 7));
    assertThat(out.sent).containsExactly(told(3, 7));
  }

  @Test
  void ofCountsThatAFullSocketDidNotTakeTheLastOneIsToldLater() {
    out.full = true;
    markers.unread(count(3, 7));
    markers.unread(count(0, 9));
    markers.unread(count(2, 8));
    assertThat(out.sent).isEmpty();
    out.drain();
    assertThat(out.sent).containsExactly(told(0, 9));
  }
}
