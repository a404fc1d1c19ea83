package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.ChangeCount;
import io.confab.account.FamilyId;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.config.Config;
import io.confab.feed.DigestLog;
import io.confab.feed.Event;
import io.confab.feed.FakeBroker;
import io.confab.feed.FakeRecent;
import io.confab.feed.FeedHub;
import io.confab.feed.Handover;
import io.confab.feed.Subscriber;
import io.confab.listener.SharedBound;
import io.confab.message.MessageCommand.CheckSend;
import io.confab.message.MessageCommand.MaySend;
import io.confab.metrics.Meters;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.SessionId;
import io.confab.socket.RoomStreams.StreamContext;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import io.confab.time.Backoff;
import io.confab.time.Retries;
import io.confab.time.TimingWheel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What comes between a `typing` and its answer. Everything is on one thread.
class TypingFramesTest {
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ROOM = new RoomId(7);
  private static final String TYPING =
      "{\"type\":\"typing\",\"id\":\"t\",\"room_id\":\"" + ROOM + "\"}";

  private final Config config = TestConfig.node(Path.of("unused"));
  private final FakeRooms rooms = new FakeRooms();
  private final FakeOutbound out = new FakeOutbound();
  private final List<Promise<MaySend>> questions = new ArrayList<>();
  private final Requests bus = new Questions();
  private long now;
  private final TimingWheel wheel = new TimingWheel(Duration.ofMillis(10), 2_048, () -> now);
  private SocketServices services;
  private AuthenticatedSession session;
  private Session socket;

  private final class Questions implements Requests {
    @Override
    @SuppressWarnings("unchecked") // what else is asked for nobody waits for
    public <R extends BusMessage> Future<R> request(Command<R> command) {
      Promise<MaySend> answer = Promise.promise();
      if (command instanceof CheckSend) {
        questions.add(answer);
      }
      return (Future<R>) answer.future();
    }
  }

  private LoopSeats noSeats() {
    return new LoopSeats(bus, wheel, wheel::nanos, FakeOutbound.NO_SESSIONS, 0);
  }

  @BeforeEach
  void open() {
    FeedHub hub =
        new FeedHub(
            rooms.broker, new FakeRecent(), FakeBroker::sealed, new DigestLog(), rooms.epoch);
    services =
        SocketServices.of(
            new NodeId("a"),
            config,
            bus,
            new SocketLoop(
                wheel,
                new Retries(
                    wheel, new Backoff(Duration.ZERO, Duration.ZERO, new SplittableRandom(1))),
                rooms.feeds,
                rooms,
                new AccountSessions(
                    new Handover(Runnable::run, 1 << 20),
                    hub,
                    bus,
                    wheel,
                    new Backoff(Duration.ZERO, Duration.ZERO, new SplittableRandom(1))),
                new UnreadLooks(bus, wheel, (_, _) -> {}),
                new WatchedAccounts(
                    new Handover(Runnable::run, 1 << 20), hub, bus, wheel, new Meters(), 1 << 20),
                noSeats(),
                TestLoop.queues(wheel, hub, rooms, bus),
                new SharedBound(1 << 20)),
            SimulatedLoop.Unregistered.SESSIONS,
            new Meters(),
            InstantSource.system(),
            TestLimits.limits(config, () -> now));
    KnownRooms known = new KnownRooms();
    SessionMarkers markers =
        new SessionMarkers(
            ANN, new SessionId("s"), out, new ChangeCount(0), known, new FakeMarkersLoop(bus));
    RoomStreams streams =
        new RoomStreams(
            ANN,
            out,
            new StreamContext(
                bus,
                rooms.feeds,
                rooms,
                new Retries(
                    wheel, new Backoff(Duration.ZERO, Duration.ZERO, new SplittableRandom(1))),
                new SharedBound(1 << 20),
                new UnreadLooks(bus, wheel, (_, _) -> {}),
                noSeats(),
                100,
                100),
            known,
            markers,
            () -> {});
    session =
        new AuthenticatedSession(
            new SessionId("s"),
            new Fence(FakeRooms.EPOCH, 1),
            new Authorisation(
                new Authenticated(new Caller(ANN, new DeviceId("d")), new FamilyId(new UUID(1, 1))),
                bus,
                _ -> {},
                null),
            streams,
            markers,
            new SessionQueue(
                new Caller(ANN, new DeviceId("d")),
                out,
                TestLoop.queues(wheel, hub, rooms, bus),
                streams,
                100),
            new ResumeRequest(streams, out, FakeRooms.EPOCH, config.limits()),
            new Comparison(new ChangeCount(0), () -> {}));
    socket = new Session(new SessionId("s"), services, out, "address", Optional.empty());
    rooms.store(ROOM, 3);
  }

  private Future<?> type() {
    return frame(TYPING);
  }

  private Future<?> frame(String text) {
    Frames.Request request = services.frames().read(text);
    return services
        .frames()
        .answer(new FrameCall(request.id(), session, socket), (Frames.Asked) request.content());
  }

  @Test
  void whoHidesFromAllIsNotToldToBeTyping() {
    type();
    questions.removeFirst().complete(new MaySend(new Rev(3), 2, 1_000, true, List.of()));
    assertThat(told()).isEmpty();
  }

  @Test
  void whoIsBlockedIsNotToldOfTyping() {
    AccountId bob = new AccountId(2);
    type();
    questions.removeFirst().complete(new MaySend(new Rev(3), 2, 1_000, false, List.of(bob)));
    assertThat(rooms.broker.signals).hasSize(1);
    assertThat(rooms.broker.signals.getFirst().isFor(bob)).isFalse();
  }

  private void mayAt(long rev) {
    questions.removeFirst().complete(new MaySend(new Rev(rev), 2, 1_000, false, List.of()));
  }

  private void pass(Duration time) {
    for (long ticks = time.toMillis() / 10; ticks >= 0; ticks--) {
      now += Duration.ofMillis(10).toNanos();
      wheel.advance();
    }
  }

  private List<String> told() {
    return rooms.broker.asked.stream().filter(asked -> asked.startsWith("offer")).toList();
  }

  @Test
  void itIsToldOnceASecondAndEndsOnce() {
    type();
    type();
    mayAt(3);
    mayAt(3);
    assertThat(type().succeeded()).isTrue();
    assertThat(questions).isEmpty();
    assertThat(told()).containsExactly("offer typing 5000");
    session.close();
    assertThat(told()).containsExactly("offer typing 5000", "offer typing 0");
    pass(Duration.ofSeconds(6));
    assertThat(told()).hasSize(2);
  }

  @Test
  void itLapsesWithoutAWord() {
    type();
    mayAt(3);
    pass(Duration.ofSeconds(6));
    session.close();
    assertThat(told()).containsExactly("offer typing 5000");
  }

  @Test
  void whoIsRemovedBetweenQuestionAndAnswerIsNotShown() {
    rooms.feeds.attach(ROOM, new RoomStreamStub());
    type();
    rooms.leave(ROOM, ANN, LeaveReason.REMOVED);
    mayAt(3);
    assertThat(told()).isEmpty();
  }

  private static final class RoomStreamStub implements Subscriber {
    @Override
    public void ready() {}

    @Override
    public void event(Event event) {}
  }

  @Test
  void whoIsRemovedAfterItEndsAtOnce() {
    type();
    mayAt(3);
    rooms.leave(ROOM, new AccountId(2), LeaveReason.LEFT);
    assertThat(told()).containsExactly("offer typing 5000");
    rooms.leave(ROOM, ANN, LeaveReason.REMOVED);
    assertThat(told()).containsExactly("offer typing 5000", "offer typing 0");
  }

  @Test
  void whoSaidItInASealedRoomTypesNoLonger() {
    type();
    mayAt(3);
    rooms.feeds.events(List.of(sealed(4, new AccountId(2))));
    assertThat(told()).containsExactly("offer typing 5000");
    rooms.feeds.events(List.of(sealed(5, ANN)));
    assertThat(told()).containsExactly("offer typing 5000", "offer typing 0");
  }

  private static Event sealed(long rev, AccountId sender) {
    return Event.sealed(
        new EventFrames.Stamp(ROOM, new Rev(rev), new Epoch(1), sender, 0), new Seq(rev));
  }

  @Test
  void aSocketThatIsLostMeanwhileLeavesNobodyTyping() {
    type();
    session.close();
    mayAt(3);
    assertThat(told()).isEmpty();
  }

  @Test
  void aStopBeforeTheAnswerLeavesNobodyTyping() {
    Future<?> typing = type();
    frame("{\"type\":\"typing.stop\",\"room_id\":\"" + ROOM + "\"}");
    mayAt(3);
    assertThat(typing.succeeded()).isTrue();
    assertThat(told()).isEmpty();
  }

  @Test
  void aMessageBeforeTheAnswerLeavesNobodyTyping() {
    type();
    frame(
        "{\"type\":\"message.send\",\"client_id\":\"c\",\"body\":\"Hello\",\"room_id\":\""
            + ROOM
            + "\"}");
    mayAt(4);
    assertThat(told()).isEmpty();
  }

  @Test
  void whatHappenedBeforeTheAnswerEndsNothingLater() {
    type();
    mayAt(4);
    rooms.leave(ROOM, ANN, LeaveReason.LEFT); // rev 4, which this node hears late
    assertThat(told()).containsExactly("offer typing 5000");
  }

  @Test
  void oneWhoMayNoLongerSendNoLongerTypes() {
    type();
    mayAt(3);
    pass(Duration.ofSeconds(2));
    Future<?> refused = type();
    questions.removeFirst().fail(new Refusal(ErrorCode.MUTED, "not now"));
    assertThat(refused.failed()).isTrue();
    assertThat(told()).containsExactly("offer typing 5000", "offer typing 0");
  }
}
