package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.ChangeCount;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.config.Config;
import io.confab.feed.AccountSignal.OthersRead;
import io.confab.feed.Event;
import io.confab.feed.Subscriber;
import io.confab.feed.Visibility;
import io.confab.feed.Visibility.Span;
import io.confab.listener.SharedBound;
import io.confab.marker.MarkerCommand.Markers;
import io.confab.marker.MarkerCommand.ReadMarker;
import io.confab.marker.MarkerCommand.RoomMarks;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientFrame.Resume;
import io.confab.protocol.ClientFrame.RoomPoint;
import io.confab.protocol.CloseCode;
import io.confab.protocol.EntityTag;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Marks;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.Resumed;
import io.confab.protocol.ServerFrame.ResumedRoom;
import io.confab.protocol.ServerFrame.RoomAdded;
import io.confab.protocol.ServerFrame.RoomRemoved;
import io.confab.protocol.SessionId;
import io.confab.room.RoomCommand;
import io.confab.room.RoomCommand.Membership;
import io.confab.room.RoomCommand.Memberships;
import io.confab.seat.SeatCommand.Beat;
import io.confab.socket.RoomStreams.StreamContext;
import io.confab.time.Backoff;
import io.confab.time.Retries;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// In a room of which the account sees what was said while it was a member. Everything is on one
/// thread.
@Timeout(30)
class MembershipWhileResumingTest {
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ROOM = new RoomId(1);
  private static final int PER_ROOM = 10;

  private final FakeRooms rooms = new FakeRooms();
  private final SharedBound early = new SharedBound(8_000);
  private final FakeOutbound out = new FakeOutbound();
  private final KnownRooms known = new KnownRooms();
  private final SessionMarkers markers =
      new SessionMarkers(
          ANN,
          new SessionId("s"),
          out,
          new ChangeCount(0),
          known,
          new FakeMarkersLoop(new MembershipsNow()));
  private final RoomStreams streams =
      new RoomStreams(
          ANN,
          out,
          new StreamContext(
              new MembershipsNow(),
              rooms.feeds,
              rooms,
              new Retries(
                  (_, action) -> rooms.timers.add(action),
                  new Backoff(Duration.ZERO, Duration.ZERO, new SplittableRandom(1))),
              early,
              new UnreadLooks(
                  new MembershipsNow(), (_, action) -> rooms.timers.add(action), (_, _) -> {}),
              new LoopSeats(
                  new MembershipsNow(),
                  (_, action) -> rooms.timers.add(action),
                  System::nanoTime,
                  FakeOutbound.NO_SESSIONS,
                  1 << 20),
              100,
              PER_ROOM),
          known,
          markers,
          () -> {});
  private final ResumeRequest request =
      new ResumeRequest(
          streams,
          out,
          FakeRooms.EPOCH,
          new Config.Limits(1_000, 10_000, 10_000, 100, 100, PER_ROOM, PER_ROOM));
  private long stands;
  private boolean member = true;
  private @Nullable Integer capacity;
  private final List<RoomId> looksAtSeats = new ArrayList<>();
  private List<RoomMarks> found = List.of();
  private boolean holdsLooks;
  private final Promise<Void> answerLooks = Promise.promise();

  /// Answers at once, or when the test says so.
  private final class MembershipsNow implements Requests {
    @Override
    @SuppressWarnings("unchecked") // nothing else is asked for
    public <R extends BusMessage> Future<R> request(Command<R> command) {
      if (command instanceof Beat beat) {
        looksAtSeats.add(beat.room());
        return Future.failedFuture(Refusal.unavailable("Redis is away"));
      }
      if (command instanceof ReadMarker) {
        return (Future<R>) Future.succeededFuture(new Markers(found));
      }
      Future<R> now =
          member
              ? (Future<R>)
                  Future.succeededFuture(new RoomCommand.RoomView(room(), new EntityTag("t")))
              : Future.failedFuture(new Refusal(ErrorCode.NOT_FOUND, "no such room"));
      return holdsLooks ? answerLooks.future().compose(_ -> now, _ -> now) : now;
    }
  }

  @Test
  void whoIsToldOfMuchAndNeverResumesComesAnew() {
    streams.welcomed(new Memberships(FakeRooms.EPOCH, List.of(), false));
    for (int i = 0; i < 19; i++) {
      streams.recheck(new RoomId(100 + i), LeaveReason.REMOVED);
    }
    assertThat(out.closes).isEmpty();
    assertThat(early.bytes()).isGreaterThan(7_000);

    early.holds(() -> {}, 1_000);
    assertThat(out.closes).containsExactly(CloseCode.RESYNC);
  }

  @Test
  void whoResumesLeavesNothingWaiting() {
    streams.welcomed(new Memberships(FakeRooms.EPOCH, List.of(), false));
    streams.recheck(new RoomId(100), LeaveReason.REMOVED);
    streams.open();

    assertThat(early.bytes()).isZero();
  }

  @Test
  void whatWasToldBeforeTheRoomWasIsToldAgainBehindIt() {
    streams.welcomed(new Memberships(FakeRooms.EPOCH, List.of(), false));
    streams.open();
    Seq twelve = new Seq(12);
    markers.othersRead(new OthersRead(ANN, ROOM, twelve, twelve, Rev.ZERO));
    Marks marks = new Marks(Seq.ZERO, Seq.ZERO, null, twelve, twelve);
    found = List.of(new RoomMarks(ROOM, marks, 1, new Rev(100)));
    out.sent.clear();
    theSignalComes();
    assertThat(out.sent.getFirst()).isInstanceOf(ServerFrame.RoomAdded.class);
    assertThat(out.sent).contains(new ServerFrame.Receipt(ROOM, twelve, "read"));
  }

  private static Marks othersHaveRead(long seq) {
    return new Marks(Seq.ZERO, Seq.ZERO, null, new Seq(seq), new Seq(seq));
  }

  private List<ServerFrame.Receipt> receipts() {
    return out.sent.stream()
        .filter(ServerFrame.Receipt.class::isInstance)
        .map(ServerFrame.Receipt.class::cast)
        .toList();
  }

  @Test
  void whoNamesARoomThatCameBeforeItResumedIsToldItsMarkersBehindWhatItMissed() {
    rooms.store(ROOM, 5);
    stands = 5;
    streams.welcomed(new Memberships(FakeRooms.EPOCH, List.of(), false));
    theSignalComes();
    found = List.of(new RoomMarks(ROOM, othersHaveRead(4), 1, new Rev(5)));
    assertThat(resumes(3).succeeded()).isTrue();
    assertThat(told(RoomAdded.class)).isZero();
    assertThat(out.sent.getFirst()).isInstanceOf(Resumed.class);
    assertThat(receipts()).containsExactly(new ServerFrame.Receipt(ROOM, new Seq(4), "read"));
  }

  @Test
  void whoCameBackUnheardIsToldNothingOfTheMembershipBefore() {
    rooms.store(ROOM, 5);
    stands = 5;
    rooms.visibility = new Visibility(List.of(lasting(2)));
    streams.welcomed(
        new Memberships(
            FakeRooms.EPOCH,
            List.of(
                new Membership(
                    ROOM, new Seq(5), new Rev(5), false, true, othersHaveRead(4), false, false)),
            false));
    leaves();
    comesBack();
    found = List.of(new RoomMarks(ROOM, othersHaveRead(1), 1, new Rev(stands)));
    assertThat(resumes(stands).succeeded()).isTrue();
    assertThat(receipts()).containsExactly(new ServerFrame.Receipt(ROOM, new Seq(1), "read"));
  }

  @Test
  void whatAnAccountHasInARoomThatIsAddedIsTakenUp() {
    streams.welcomed(new Memberships(FakeRooms.EPOCH, List.of(), false));
    streams.open();
    theSignalComes();
    rooms.fireTimers();
    assertThat(looksAtSeats).as("without a capacity").isEmpty();
    leaves();
    theSignalComes();
    capacity = 5;
    comesBack();
    theSignalComes();
    rooms.fireTimers();
    assertThat(looksAtSeats).containsExactly(ROOM);
  }

  @Test
  void anAnswerFromBeforeTheEndThatWasMetAddsNothing() {
    streams.welcomed(new Memberships(FakeRooms.EPOCH, List.of(), false));
    streams.open();
    theSignalComes();
    assertThat(streams.isStreaming(ROOM)).isTrue();
    holdsLooks = true;
    theSignalComes();
    member = false;
    rooms.leave(ROOM, ANN, LeaveReason.REMOVED);
    assertThat(told(RoomRemoved.class)).isEqualTo(1);
    answerLooks.complete();
    rooms.fireTimers();
    assertThat(told(RoomAdded.class)).isEqualTo(1);
    assertThat(told(RoomRemoved.class)).isEqualTo(1);
    assertThat(streams.isStreaming(ROOM)).isFalse();
  }

  private long told(Class<?> type) {
    return out.sent.stream().filter(type::isInstance).count();
  }

  private Room room() {
    return new Room(
        ROOM,
        RoomType.GROUP,
        "Team",
        null,
        null,
        Role.MEMBER,
        HistoryRule.SINCE_JOIN,
        null,
        null,
        capacity,
        null,
        1,
        true,
        null,
        FakeRooms.EPOCH,
        new Seq(stands),
        new Rev(stands));
  }

  private static Span lasting(long from) {
    return new Span(new Rev(from), null, new Seq(from), null);
  }

  private static Span ended(long from, long to) {
    return new Span(new Rev(from), new Rev(to), new Seq(from), new Seq(to));
  }

  private void welcome(int at) {
    rooms.store(ROOM, at);
    stands = at;
    rooms.visibility = new Visibility(List.of(lasting(2)));
    streams.welcomed(
        new Memberships(
            FakeRooms.EPOCH,
            List.of(
                new Membership(
                    ROOM,
                    new Seq(at),
                    new Rev(at),
                    false,
                    true,
                    Marks.at(new Seq(at)),
                    false,
                    false)),
            false));
  }

  private void leaves() {
    rooms.add(ROOM, new Event.Departure(ANN, LeaveReason.REMOVED));
    stands++;
    member = false;
    rooms.visibility = new Visibility(List.of(ended(2, stands)));
  }

  private void comesBack() {
    rooms.add(ROOM, new Event.OfRoom());
    stands++;
    member = true;
    rooms.visibility = new Visibility(List.of(ended(2, stands - 1), lasting(stands)));
  }

  private void theSignalComes() {
    streams.recheck(ROOM, LeaveReason.REMOVED);
  }

  private Future<Void> resumes(long after) {
    RoomPoint point = new RoomPoint(ROOM.toString(), FakeRooms.EPOCH, new Rev(after));
    return request.run("r", new Resume(List.of(point), true));
  }

  private List<Object> said() {
    rooms.say(ROOM);
    return out.sent.stream()
        .filter(sent -> sent instanceof Long || sent instanceof String)
        .toList();
  }

  private static Resumed gone() {
    return new Resumed("r", List.of(ResumedRoom.lost(ROOM.toString())));
  }

  @Test
  void whoLeftAndCameBackWhileItsVisibilityWasReadSeesWhatIsSaidFromThenOn() {
    welcome(5);
    rooms.holdsVisibilities = true;
    leaves();
    Future<Void> resumed = resumes(5);
    theSignalComes();
    comesBack();
    theSignalComes();
    rooms.holdsVisibilities = false;
    rooms.answerVisibilities();

    assertThat(resumed.succeeded()).isTrue();
    assertThat(said()).endsWith(8L);
  }

  @Test
  void whoWasRemovedAndCannotHaveAllReplayedIsToldThatItIsGoneAndNothingElse() {
    welcome(30);
    leaves();
    rooms.store(ROOM, 1);

    assertThat(resumes(1).succeeded()).isTrue();
    assertThat(out.sent).containsExactly(gone());
    assertThat(said()).isEmpty();
    assertThat(streams.isStreaming(ROOM)).isFalse();
  }

  @Test
  void whileTheMembershipCannotBeLookedAtNothingIsTold() {
    welcome(30);
    rooms.holdsVisibilities = true;
    Future<Void> resumed = resumes(1);
    leaves();
    rooms.away = true;
    rooms.answerVisibilities();
    assertThat(resumed.isComplete()).isFalse();
    assertThat(said()).isEmpty();

    rooms.away = false;
    rooms.holdsVisibilities = false;
    rooms.fireTimers();
    assertThat(resumed.succeeded()).isTrue();
    assertThat(out.sent).containsExactly(gone());
  }

  @Test
  void whoWasRemovedAndAddedAgainUnheardSeesWhatIsSaid() {
    welcome(30);
    leaves();
    comesBack();

    assertThat(resumes(1).succeeded()).isTrue();
    assertThat(said()).containsExactly(33L);
  }

  @Test
  void whoCameBackAfterItWasLookedAtIsAddedAfterTheAnswer() {
    welcome(30);
    leaves();
    rooms.holdsVisibilities = true;
    Future<Void> resumed = resumes(1);
    while (!resumed.isComplete()) {
      member =
          true; // the membership is there again before the visibility that was read is answered
      rooms.answerVisibilities();
    }
    assertThat(out.sent.getFirst()).isEqualTo(gone());
    assertThat(out.sent).anyMatch(RoomAdded.class::isInstance);
  }

  @Test
  void anEndThatComesAfterTheLookIsTold() {
    welcome(30);
    rooms.holdsVisibilities = true;
    Future<Void> resumed = resumes(1);
    rooms.answerVisibilities(); // of what is followed
    leaves();
    streams.refresh(List.of(ROOM));
    rooms.answerVisibilities(); // of what is skipped
    assertThat(resumed.succeeded()).isTrue();
    assertThat(said()).isEmpty();
    assertThat(out.sent).anyMatch(RoomRemoved.class::isInstance);
  }

  /// The end is in the log while somebody looks who may read the room.
  private void anEndIsFoundTwice() {
    welcome(30);
    rooms.store(ROOM, 1);
    stands++;
    rooms.holdsVisibilities = true;
    Future<Void> resumed = resumes(1);
    rooms.answerVisibilities(); // of what is followed
    leaves();
    holdsLooks = true;
    rooms.answerVisibilities(); // of what is skipped
    holdsLooks = false;
    rooms.holdsVisibilities = false;
    assertThat(resumed.succeeded()).isTrue();
  }

  @Test
  void anEndThatIsFoundTwiceIsToldOnceAndTakesTheRoomFromNobodyElse() {
    anEndIsFoundTwice();
    List<Rev> others = new ArrayList<>();
    rooms.feeds.attach(ROOM, new Other(others));
    streams.refresh(List.of(ROOM));
    answerLooks.complete();
    rooms.say(ROOM);
    assertThat(out.sent).filteredOn(RoomRemoved.class::isInstance).hasSize(1);
    assertThat(others).containsExactly(new Rev(32), new Rev(33));
  }

  @Test
  void anEndThatIsFoundAgainAfterTheReturnIsOver() {
    anEndIsFoundTwice();
    comesBack();
    streams.refresh(List.of(ROOM));
    answerLooks.complete();
    assertThat(streams.isStreaming(ROOM)).isTrue();
    assertThat(said()).endsWith(34L);
  }

  @Test
  void anEndThatIsFoundAfterTheSessionTakesTheRoomFromNobodyElse() {
    anEndIsFoundTwice();
    List<Rev> others = new ArrayList<>();
    rooms.feeds.attach(ROOM, new Other(others));
    streams.close();
    answerLooks.complete();
    rooms.say(ROOM);
    rooms.fireTimers();
    assertThat(others).endsWith(new Rev(33));
  }

  /// Of another session.
  private record Other(List<Rev> got) implements Subscriber {
    @Override
    public void ready() {}

    @Override
    public void event(Event event) {
      got.add(event.rev());
    }
  }

  @Test
  void whoHasAllReplayedIsNotLookedAt() {
    welcome(30);
    resumes(25);
    assertThat(rooms.visibilityReads).isEqualTo(1);
  }
}
