package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.account.ChangeCount;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.bus.Requests;
import io.confab.feed.DigestLog;
import io.confab.feed.FakeBroker;
import io.confab.feed.FakeRecent;
import io.confab.feed.FeedHub;
import io.confab.feed.QueuedSend;
import io.confab.listener.SharedBound;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientFrame.QueueOpen;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Marks;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame.QueueEmpty;
import io.confab.protocol.ServerFrame.QueueOpened;
import io.confab.protocol.SessionId;
import io.confab.queue.QueueCommand;
import io.confab.queue.QueueCommand.AckQueue;
import io.confab.queue.QueueCommand.Acknowledged;
import io.confab.queue.QueueCommand.OpenQueue;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.ReadQueue;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.queue.QueueCommand.Waiting;
import io.confab.room.RoomCommand.Membership;
import io.confab.room.RoomCommand.Memberships;
import io.confab.socket.RoomStreams.StreamContext;
import io.confab.time.Backoff;
import io.confab.time.Retries;
import io.confab.time.TimingWheel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionQueueTest {
  private static final Caller PHONE = new Caller(new AccountId(1), new DeviceId("phone"));
  private static final RegistrationId REGISTRATION = new RegistrationId(5);
  private static final RoomId ROOM = new RoomId(7);

  /// In which the account is; `welcome` told of so many others.
  private static final RoomId UNTOLD = new RoomId(9);

  private static final byte[] TAIL =
      (",\"epoch\":1,\"sender_id\":\"7\",\"sender_device_id\":\"d\",\"client_id\":\"c\",\"ts\":1,"
              + "\"payload\":\"p\"}")
          .getBytes(StandardCharsets.UTF_8);

  private final FakeRooms rooms = new FakeRooms();
  private final FakeOutbound out = new FakeOutbound();
  private final TimingWheel wheel = new TimingWheel(Duration.ofMillis(10), 8, () -> 0);
  private final FeedHub hub =
      new FeedHub(rooms.broker, new FakeRecent(), FakeBroker::sealed, new DigestLog(), rooms.epoch);
  private final List<QueueCommand<?>> asked = new ArrayList<>();
  private final Requests bus = new FakeBus();
  private SessionQueue queue;

  /// What the database has.
  private long gone;

  private long last;
  private boolean hasKeys = true;
  private boolean away;
  private Future<Done> rejected = Future.succeededFuture(Done.DONE);

  private final class FakeBus implements Requests {
    @Override
    @SuppressWarnings("unchecked")
    public <R extends BusMessage> Future<R> request(Command<R> command) {
      if (!(command instanceof QueueCommand<?> question)) {
        return Future.failedFuture("nobody is there");
      }
      asked.add(question);
      return away
          ? Future.failedFuture(Refusal.unavailable("the database is away"))
          : (Future<R>) answer(question);
    }

    private Future<? extends BusMessage> answer(QueueCommand<?> question) {
      return switch (question) {
        case OpenQueue _ when !hasKeys ->
            Future.failedFuture(new Refusal(ErrorCode.CONFLICT, "no keys"));
        case OpenQueue _ ->
            Future.succeededFuture(
                new Opened(
                    FakeRooms.EPOCH,
                    REGISTRATION,
                    new QueueSeq(gone),
                    new QueueSeq(last),
                    40,
                    false,
                    List.of(ROOM, UNTOLD)));
        case ReadQueue read -> Future.succeededFuture(page(read.after().value()));
        case AckQueue ack -> {
          gone = Math.max(gone, Math.min(last, ack.upTo().value()));
          yield Future.succeededFuture(new Acknowledged(new QueueSeq(gone)));
        }
        case RejectEnvelope _ -> rejected;
      };
    }

    private QueuePage page(long after) {
      List<Waiting> waiting =
          LongStream.rangeClosed(Math.max(after, gone) + 1, last)
              .mapToObj(QueueSeq::new)
              .map(seq -> new Waiting(seq, EnvelopeFrames.head(seq, null), TAIL))
              .toList();
      return new QueuePage(FakeRooms.EPOCH, new QueueSeq(gone), new QueueSeq(last), waiting);
    }
  }

  @BeforeEach
  void welcome() {
    Retries retries =
        new Retries(wheel, new Backoff(Duration.ZERO, Duration.ZERO, new SplittableRandom(1)));
    KnownRooms known = new KnownRooms();
    RoomStreams streams =
        new RoomStreams(
            PHONE.account(),
            out,
            new StreamContext(
                bus,
                rooms.feeds,
                rooms,
                retries,
                new SharedBound(1 << 20),
                new UnreadLooks(bus, wheel, (_, _) -> {}),
                new LoopSeats(bus, wheel, () -> 0, FakeOutbound.NO_SESSIONS, 0),
                100,
                100),
            known,
            new SessionMarkers(
                PHONE.account(),
                new SessionId("s"),
                out,
                new ChangeCount(0),
                known,
                new FakeMarkersLoop(bus)),
            () -> {});
    streams.welcomed(
        new Memberships(
            FakeRooms.EPOCH,
            List.of(
                new Membership(
                    ROOM, new Seq(0), new Rev(1), true, true, Marks.at(new Seq(0)), false, false)),
            false));
    queue = new SessionQueue(PHONE, out, TestLoop.queues(wheel, hub, rooms, bus), streams, 4);
  }

  private Future<?> open(@Nullable Long epoch, long after) {
    return queue.open(
        "1", new QueueOpen(epoch == null ? null : new Epoch(epoch), new QueueSeq(after)));
  }

  private static ErrorCode code(Future<?> refused) {
    return ((Refusal) refused.cause()).code();
  }

  private QueueOpened opened() {
    return (QueueOpened)
        out.sent.stream().filter(QueueOpened.class::isInstance).findFirst().orElseThrow();
  }

  private long envelopes() {
    return out.sent.stream().filter(String.class::isInstance).count();
  }

  @Test
  void theAnswerComesFirstThenWhatWaitsAndWhatIsSaid() {
    last = 2;
    assertThat(open(1L, 0).succeeded()).isTrue();
    assertThat(out.sent.getFirst())
        .isEqualTo(
            new QueueOpened(
                "1", FakeRooms.EPOCH, new QueueSeq(1), new QueueSeq(2), null, 40, false));
    assertThat(envelopes()).isEqualTo(2);
    assertThat(out.sent.getLast()).isEqualTo(new QueueEmpty(new QueueSeq(2)));
    last = 3;
    hub.queued(
        new QueuedSend(
            ROOM,
            null,
            FakeRooms.EPOCH,
            1,
            TAIL,
            List.of(new QueuedSend.Place(REGISTRATION, new QueueSeq(3), false, null))));
    assertThat(envelopes()).isEqualTo(3);
    assertThat(code(open(1L, 0))).isEqualTo(ErrorCode.CONFLICT);
  }

  /// The queue is acknowledged up to 3 and has 5; 0 as the epoch stands for none.
  @ParameterizedTest
  @CsvSource({
    "1, 3, false, 2",
    "1, 5, false, 0",
    "1, 4, false, 1",
    "1, 2, true, 2",
    "1, 6, true, 2",
    "2, 4, true, 2",
    "0, 4, true, 2",
    "0, 0, true, 2"
  })
  void whatIsNoPositionOfTheQueueIsReset(long epoch, long after, boolean reset, long sent) {
    gone = 3;
    last = 5;
    open(epoch == 0 ? null : epoch, after);
    assertThat(opened().first()).isEqualTo(new QueueSeq(4));
    assertThat(opened().reset()).isEqualTo(reset ? true : null);
    assertThat(envelopes()).isEqualTo(sent);
  }

  @Test
  void aNewClientNeedsNoEpoch() {
    open(null, 0);
    assertThat(opened().reset()).isNull();
  }

  @Test
  void sealedRoomsOfWhichTheClientWasNotToldAreHeardToo() {
    open(1L, 0);
    assertThat(rooms.broker.asked).containsExactly("watch room 7", "watch room 9");
    queue.close();
    assertThat(rooms.broker.asked)
        .containsExactlyInAnyOrder(
            "watch room 7", "watch room 9", "unwatch room 7", "unwatch room 9");
  }

  @Test
  void aDeviceThatHasNoKeysYetMayComeAgain() {
    hasKeys = false;
    assertThat(code(open(1L, 0))).isEqualTo(ErrorCode.CONFLICT);
    assertThat(rooms.broker.asked).containsExactly("watch room 7", "unwatch room 7");
    hasKeys = true;
    assertThat(open(1L, 0).succeeded()).isTrue();
  }

  @Test
  void onlyWhatWasSentIsAcknowledgedAndOnce() {
    last = 3;
    assertThatThrownBy(() -> queue.ack(new QueueSeq(1)))
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.CONFLICT));
    open(1L, 0);
    assertThatThrownBy(() -> queue.ack(new QueueSeq(4)))
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.INVALID_FIELD));
    assertThat(queue.ack(new QueueSeq(2)).succeeded()).isTrue();
    assertThat(queue.ack(new QueueSeq(1)).succeeded()).isTrue();
    assertThat(asked.stream().filter(AckQueue.class::isInstance))
        .containsExactly(
            new AckQueue(PHONE.account(), REGISTRATION, new QueueSeq(2), FakeRooms.EPOCH));
  }

  @Test
  void anAckThatWasNotStoredOpensNoRoom() {
    last = 9;
    open(1L, 0);
    assertThat(envelopes()).as("of which four may be on the way").isEqualTo(4);
    away = true;
    assertThat(code(queue.ack(new QueueSeq(4)))).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(envelopes()).isEqualTo(4);
    away = false;
    assertThat(queue.ack(new QueueSeq(4)).succeeded()).isTrue();
    assertThat(envelopes()).isEqualTo(8);
  }

  /// The answer to it, or the call itself, was lost with the session before.
  @Test
  void whatTheClientHasIsStoredWhenItSaysSoAgain() {
    last = 5;
    open(1L, 5);
    assertThat(opened().first()).isEqualTo(new QueueSeq(1));
    assertThat(envelopes()).isZero();
    assertThat(queue.ack(new QueueSeq(5)).succeeded()).isTrue();
    assertThat(gone).isEqualTo(5);
    assertThat(queue.ack(new QueueSeq(5)).succeeded()).isTrue();
    assertThat(asked.stream().filter(AckQueue.class::isInstance)).hasSize(1);
  }

  @Test
  void whatIsAcknowledgedBehindWhatCannotBeReadWaitsForIt() {
    last = 3;
    open(1L, 0);
    Promise<Done> under = Promise.promise();
    rejected = under.future();
    Future<?> reject = queue.reject(new QueueSeq(2), "no_session");
    Future<?> ack = queue.ack(new QueueSeq(3));
    assertThat(asked).noneMatch(AckQueue.class::isInstance);
    assertThat(ack.isComplete()).isFalse();
    under.fail(Refusal.unavailable("the database is away"));
    assertThat(code(reject)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(ack.succeeded()).isTrue();
    assertThat(gone).isEqualTo(3);
  }

  @Test
  void whatCannotBeReadIsNamedByItsNumber() {
    last = 1;
    open(1L, 0);
    assertThat(queue.reject(new QueueSeq(1), "no_session").succeeded()).isTrue();
    assertThat(asked)
        .contains(
            new RejectEnvelope(
                PHONE.account(), REGISTRATION, new QueueSeq(1), "no_session", FakeRooms.EPOCH));
    assertThatThrownBy(() -> queue.reject(new QueueSeq(2), "r")).isInstanceOf(Refusal.class);
  }

  @Test
  void whatPassedUnheardIsReadWhenItLooks() {
    open(1L, 0);
    last = 2;
    queue.look();
    assertThat(envelopes()).isEqualTo(2);
    last = 3;
    queue.added(new RoomId(8)); // what was sent there before is not announced again
    assertThat(envelopes()).isEqualTo(3);
    last = 4;
    queue.removed(new RoomId(8));
    assertThat(envelopes()).isEqualTo(4);
  }

  @Test
  void afterItsEndNothingIsHeard() {
    open(1L, 0);
    queue.close();
    assertThat(rooms.broker.asked).endsWith("unwatch room 7", "unwatch room 9");
    last = 1;
    queue.look();
    assertThat(envelopes()).isZero();
  }
}
