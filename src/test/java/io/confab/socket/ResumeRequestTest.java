package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.account.ChangeCount;
import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.feed.Event;
import io.confab.feed.Subscriber;
import io.confab.feed.Visibility;
import io.confab.listener.SharedBound;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientFrame.Resume;
import io.confab.protocol.ClientFrame.RoomPoint;
import io.confab.protocol.CloseCode;
import io.confab.protocol.EntityTag;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.Marks;
import io.confab.protocol.NodeId;
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
import io.confab.protocol.SessionId;
import io.confab.room.RoomCommand;
import io.confab.room.RoomCommand.Membership;
import io.confab.room.RoomCommand.Memberships;
import io.confab.socket.RoomStreams.StreamContext;
import io.confab.testing.Futures;
import io.confab.time.Backoff;
import io.confab.time.Retries;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(30)
class ResumeRequestTest {
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ONE = new RoomId(1);
  private static final RoomId TWO = new RoomId(2);
  private static final RoomId THREE = new RoomId(3);
  private static final RoomId FOREIGN = new RoomId(9);
  private static final int PER_ROOM = 10;
  private static final int PER_SESSION = 15;

  private final Set<RoomId> gone = ConcurrentHashMap.newKeySet();
  private final FakeRooms rooms = new FakeRooms();
  private final FakeOutbound out = new FakeOutbound();
  private Bus bus;
  private RoomStreams streams;
  private ResumeRequest request;

  @BeforeEach
  void welcome(Vertx vertx) {
    this.bus = new Bus(vertx, Peers.alone(new Peer(new NodeId("a"), Map.of(NodeRole.ROUTING, 1))));
    KnownRooms known = new KnownRooms();
    this.streams =
        new RoomStreams(
            ANN,
            out,
            new StreamContext(
                bus,
                rooms.feeds,
                rooms,
                new Retries(
                    (_, action) -> rooms.timers.add(action),
                    new Backoff(Duration.ZERO, Duration.ZERO, new SplittableRandom(1))),
                new SharedBound(1 << 20),
                new UnreadLooks(bus, (_, action) -> rooms.timers.add(action), (_, _) -> {}),
                new LoopSeats(
                    bus,
                    (_, action) -> rooms.timers.add(action),
                    System::nanoTime,
                    FakeOutbound.NO_SESSIONS,
                    0),
                100,
                PER_ROOM),
            known,
            new SessionMarkers(
                ANN, new SessionId("s"), out, new ChangeCount(0), known, new FakeMarkersLoop(bus)),
            () -> {});
    this.request =
        new ResumeRequest(
            streams,
            out,
            FakeRooms.EPOCH,
            new Config.Limits(1_000, 10_000, 10_000, 100, 100, PER_ROOM, PER_SESSION));
    gone.add(FOREIGN);
    Futures.get(bus.serve(RoomCommand.ADDRESS, 0, this::room));
    List<Membership> positions = new ArrayList<>();
    for (RoomId room : List.of(ONE, TWO, THREE)) {
      rooms.store(room, 20);
      positions.add(
          new Membership(
              room,
              new Seq(20),
              new Rev(20),
              !room.equals(THREE),
              true,
              Marks.at(new Seq(20)),
              false,
              false));
    }
    streams.welcomed(new Memberships(FakeRooms.EPOCH, positions, false));
  }

  private Future<? extends BusMessage> room(RoomCommand<?> command) {
    if (command instanceof RoomCommand.GetRoom(var _, RoomId room) && !gone.contains(room)) {
      return Future.succeededFuture(
          new RoomCommand.RoomView(
              new Room(
                  room,
                  RoomType.GROUP,
                  "Team",
                  null,
                  null,
                  Role.MEMBER,
                  HistoryRule.ALL,
                  null,
                  null,
                  null,
                  null,
                  2,
                  true,
                  null,
                  FakeRooms.EPOCH,
                  new Seq(20),
                  new Rev(20)),
              new EntityTag("t")));
    }
    return Future.failedFuture(new Refusal(ErrorCode.NOT_FOUND, "no such room"));
  }

  private static RoomPoint point(RoomId room, long rev) {
    return new RoomPoint(room.toString(), FakeRooms.EPOCH, new Rev(rev));
  }

  private Resumed resume(boolean last, RoomPoint... points) {
    out.sent.clear();
    Futures.get(request.run("r", new Resume(List.of(points), last)));
    return (Resumed) out.sent.getFirst();
  }

  private List<Object> events() {
    return out.sent.stream().filter(sent -> !(sent instanceof ServerFrame)).toList();
  }

  private static ResumedRoom at(RoomId room, long rev, boolean recovered) {
    return ResumedRoom.at(room, FakeRooms.EPOCH, new Rev(rev), recovered);
  }

  @Test
  void theAnswerComesFirstAndThenWhatWasMissed() {
    assertThat(resume(false, point(ONE, 17)))
        .isEqualTo(new Resumed("r", List.of(at(ONE, 20, true))));
    assertThat(events()).containsExactly(18L, 19L, 20L);
    rooms.say(ONE);
    assertThat(events()).containsExactly(18L, 19L, 20L, 21L);
  }

  @Test
  void withLastAllOtherRoomsAreLiveFromWelcome() {
    rooms.store(TWO, 1);
    assertThat(resume(true, point(ONE, 20)).rooms()).containsExactly(at(ONE, 20, true));
    assertThat(events()).containsExactly(21L);
    rooms.say(THREE);
    assertThat(events()).containsExactly(21L, 21L);
  }

  @Test
  void withoutLastTheOthersStaySilent() {
    resume(false, point(ONE, 20));
    rooms.say(TWO);
    assertThat(events()).isEmpty();
    assertThat(resume(true).rooms()).isEmpty();
    assertThat(events()).containsExactly(21L);
  }

  @Test
  void tooMuchOfARoomIsNotReplayed() {
    assertThat(resume(false, point(ONE, 10), point(TWO, 9)).rooms())
        .containsExactly(at(ONE, 20, true), at(TWO, 20, false));
    assertThat(events()).hasSize(PER_ROOM);
    rooms.say(TWO);
    assertThat(events()).hasSize(PER_ROOM + 1).endsWith(21L);
  }

  @Test
  void tooMuchOfAllRoomsIsNotReplayed() {
    assertThat(resume(false, point(ONE, 10), point(TWO, 14), point(THREE, 15)).rooms())
        .containsExactly(at(ONE, 20, true), at(TWO, 20, false), at(THREE, 20, true));
  }

  @Test
  void whatMayNotBeSeenIsCountedAndNotTold() {
    rooms.visibility =
        new Visibility(List.of(new Visibility.Span(new Rev(19), null, new Seq(19), null)));
    resume(false, point(THREE, 17), point(ONE, 19));
    assertThat(events()).containsExactly("hidden 18", 19L, 20L, 20L);
  }

  @Test
  void aRoomWhoseVisibilityCannotBeReadIsNotFollowedAndMayBeNamedAgain() {
    rooms.away = true;
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () -> Futures.get(request.run("r", new Resume(List.of(point(THREE, 19)), false))));
    assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(streams.isStreaming(THREE)).isFalse();
    rooms.away = false;
    assertThat(resume(false, point(THREE, 19)).rooms()).containsExactly(at(THREE, 20, true));
  }

  @Test
  void anotherEpochIsNotRecovered() {
    assertThat(resume(false, new RoomPoint(ONE.toString(), new Epoch(2), new Rev(20))).rooms())
        .containsExactly(at(ONE, 20, false));
  }

  @Test
  void anOlderEpochIsNotRecoveredWhereverThePointIs() {
    assertThat(resume(false, new RoomPoint(ONE.toString(), new Epoch(0), new Rev(20))).rooms())
        .containsExactly(at(ONE, 20, false));
  }

  @Test
  void aSessionOfAnOutlivedEpochIsSentAwayAndToldNoPosition() {
    rooms.feeds.enter(new Epoch(2));
    assertThat(Futures.refusal(request.run("r", new Resume(List.of(point(ONE, 20)), true))))
        .isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(out.closes).containsExactly(CloseCode.RESYNC);
    assertThat(out.sent).isEmpty();
  }

  @Test
  void aStreamIsToldNothingOfANewerEpoch() {
    resume(true, point(ONE, 20));
    out.sent.clear();
    rooms.feeds.events(
        List.of(new Event(ONE, new Epoch(2), new Rev(21), new Event.OfRoom(), new byte[0])));
    rooms.say(ONE);
    assertThat(out.sent).isEmpty();
  }

  @Test
  void aPointAheadOfTheRoomIsNotRecovered() {
    assertThat(resume(false, point(ONE, 25)).rooms()).containsExactly(at(ONE, 20, false));
  }

  @Test
  void whoNamesARevBeyondItsMembershipIsLookedAtAnew() {
    rooms.store(ONE, 1);
    gone.add(ONE);
    assertThat(resume(false, point(ONE, 21)).rooms())
        .containsExactly(ResumedRoom.lost(ONE.toString()));
    assertThat(streams.isStreaming(ONE)).isFalse();
    rooms.say(ONE);
    assertThat(events()).isEmpty();
  }

  @Test
  void whoIsStillAMemberGoesOnFromThere() {
    rooms.store(ONE, 3);
    assertThat(resume(false, point(ONE, 22)).rooms()).containsExactly(at(ONE, 23, true));
    assertThat(events()).containsExactly(23L);
  }

  @Test
  void aPointAheadOfThisNodeAsksTheDatabase() {
    resume(false, point(TWO, 20));
    RoomStream other = Futures.get(streams.attach(List.of(ONE))).getFirst();
    rooms.store(ONE, 2);
    assertThat(other.head()).isEqualTo(new Rev(20));
    Futures.get(streams.refresh(List.of(ONE)));
    assertThat(other.head()).isEqualTo(new Rev(22));
  }

  @Test
  void whatThisNodeKnowsOfAndHasYetToReadIsNotAhead() {
    rooms.feeds.attach(ONE, new Deaf());
    rooms.store(ONE, 2);
    rooms.unreadable = true;
    assertThat(resume(false, point(ONE, 22)).rooms()).containsExactly(at(ONE, 22, true));
    rooms.unreadable = false;
    runTimers();
    rooms.say(ONE);
    assertThat(events()).containsExactly(23L);
  }

  /// Whoever holds a feed open.
  private static final class Deaf implements Subscriber {
    @Override
    public void ready() {}

    @Override
    public void event(Event event) {}
  }

  private void runTimers() {
    while (!rooms.timers.isEmpty()) {
      List<Runnable> now = List.copyOf(rooms.timers);
      rooms.timers.clear();
      now.forEach(Runnable::run);
    }
  }

  @Test
  void roomsOfOthersAndTextsThatAreNoIdAreGone() {
    assertThat(
            resume(
                    false,
                    point(FOREIGN, 1),
                    new RoomPoint("whatever", FakeRooms.EPOCH, Rev.ZERO),
                    point(ONE, 20))
                .rooms())
        .containsExactly(
            ResumedRoom.lost(FOREIGN.toString()), ResumedRoom.lost("whatever"), at(ONE, 20, true));
  }

  @Test
  void aRoomMayBeNamedOnce() {
    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> resume(false, point(ONE, 1), point(ONE, 2)));
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refusal.field()).contains("rooms[1].room_id");
    assertThat(out.sent).isEmpty();
  }

  @Test
  void aRoomThatIsLiveMayNotBeNamedAgain() {
    resume(false, point(ONE, 20));
    assertThat(catchThrowableOfType(Refusal.class, () -> resume(false, point(ONE, 20))).code())
        .isEqualTo(ErrorCode.CONFLICT);
    assertThat(out.sent).isEmpty();
  }
}
