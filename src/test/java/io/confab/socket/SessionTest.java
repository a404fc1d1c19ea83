package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.ChangeCount;
import io.confab.account.ChosenStatus;
import io.confab.account.FamilyId;
import io.confab.account.outside.Bearer;
import io.confab.account.outside.BearerCommand;
import io.confab.bus.Bus;
import io.confab.bus.Done;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.config.MemoryShares;
import io.confab.config.NodeRole;
import io.confab.feed.AccountSignal;
import io.confab.feed.DigestLog;
import io.confab.feed.FakeBroker;
import io.confab.feed.FakeRecent;
import io.confab.feed.FeedHub;
import io.confab.message.WriteCommand;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.CloseCode;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.ErrorFrame;
import io.confab.protocol.ServerFrame.Pong;
import io.confab.protocol.ServerFrame.Welcome;
import io.confab.protocol.SessionId;
import io.confab.room.RoomCommand;
import io.confab.room.RoomCommand.Memberships;
import io.confab.room.RoomCommand.SessionBegin;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(30)
class SessionTest {
  private final Meters meters = new Meters();

  private static final Authenticated ANN =
      new Authenticated(
          new Caller(new AccountId(1), new DeviceId("d")), new FamilyId(new UUID(1, 1)));
  private static final Fence FENCE = new Fence(FakeRooms.EPOCH, 7);
  private static final String HELLO = "{\"type\":\"hello\",\"id\":\"h\",\"token\":\"good\"}";

  private Context context;
  private final FakeOutbound out = new FakeOutbound();
  private final FakeBroker broker = new FakeBroker();
  private final List<PresenceStatus> shown = new CopyOnWriteArrayList<>();
  private volatile boolean signInIsOver;
  private volatile long changes = 1;
  private Bus bus;
  private Session session;

  @BeforeEach
  void open(Vertx vertx) {
    this.context = vertx.getOrCreateContext();
    this.bus =
        new Bus(
            vertx,
            Peers.alone(
                new Peer(new NodeId("a"), Map.of(NodeRole.ROUTING, 1, NodeRole.PERSISTENCE, 1))));
    broker.hears = true;
    Futures.get(bus.serve(AccountCommand.ADDRESS, 0, this::account));
    Futures.get(bus.serve(BearerCommand.ADDRESS, 0, this::bearer));
    Futures.get(
        bus.serve(
            RoomCommand.ADDRESS,
            0,
            command -> {
              Memberships none = new Memberships(FakeRooms.EPOCH, List.of(), false);
              return Future.succeededFuture(
                  command instanceof RoomCommand.ReadMemberships
                      ? none
                      : new SessionBegin(none, new ChangeCount(1), FENCE, "Phone", "test"));
            }));
    Futures.get(
        bus.serve(
            WriteCommand.ADDRESS,
            0,
            _ -> Future.failedFuture(new Refusal(ErrorCode.FORBIDDEN, "join the channel first"))));
    session = onLoop(() -> Future.succeededFuture(session()));
  }

  private Future<? extends io.confab.bus.BusMessage> account(AccountCommand<?> command) {
    if (command instanceof AccountCommand.FindEnded(var signIns)) {
      return Future.succeededFuture(
          new AccountCommand.Ended(signInIsOver ? signIns : List.of(), List.of()));
    }
    if (command instanceof AccountCommand.CountChanges(var accounts)) {
      ChangeCount now = new ChangeCount(changes);
      return Future.succeededFuture(
          new AccountCommand.ChangeCounts(
              accounts.stream().collect(Collectors.toMap(Function.identity(), _ -> now))));
    }
    return Future.succeededFuture(Done.DONE);
  }

  private Future<? extends io.confab.bus.BusMessage> bearer(BearerCommand<?> command) {
    return command instanceof BearerCommand.Read(Secret token) && token.value().equals("good")
        ? Future.succeededFuture(new Bearer.OnDevice(ANN))
        : Future.failedFuture(new Refusal(ErrorCode.TOKEN_EXPIRED, "sign in again"));
  }

  private Session session() {
    return new Session(
        new SessionId("s"),
        SocketServices.of(
            new NodeId("a"),
            TestConfig.node(Path.of("unused")),
            bus,
            SocketLoop.open(
                task -> context.runOnContext(_ -> task.run()),
                new FeedHub(
                    broker,
                    new FakeRecent(),
                    FakeBroker::sealed,
                    new DigestLog(),
                    new DatabaseEpoch()),
                bus,
                new FakeRooms(),
                meters,
                System::nanoTime,
                new MemoryShares(16 << 20, 16 << 20)),
            new SessionRegistry() {
              @Override
              public void opened(SessionId id, Caller caller, Fence fence) {}

              @Override
              public void closed(SessionId id, Caller caller, Fence fence, boolean parting) {}

              @Override
              public void shows(SessionId id, Caller caller, PresenceStatus status) {
                shown.add(status);
              }
            },
            meters,
            () -> Instant.ofEpochMilli(42),
            TestLimits.limits(TestConfig.node(Path.of("unused")), System::nanoTime)),
        out,
        "address",
        Optional.empty());
  }

  private <T> T onLoop(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    context.runOnContext(_ -> work.get().onComplete(done));
    return Futures.get(done.future());
  }

  private void say(String text) {
    onLoop(() -> session.text(text));
  }

  private ErrorFrame lastError() {
    return (ErrorFrame) out.sent.getLast();
  }

  @Test
  void helloIsWelcomed() {
    say(HELLO);
    Welcome welcome = (Welcome) out.sent.getFirst();
    assertThat(welcome.re()).isEqualTo("h");
    assertThat(welcome.accountId()).isEqualTo(new AccountId(1));
    assertThat(welcome.serverTime()).isEqualTo(42);
    assertThat(session.isGreeted()).isTrue();
    say("{\"type\":\"ping\",\"id\":\"p\"}");
    assertThat(out.sent.getLast()).isEqualTo(new Pong("p", 42));
  }

  @Test
  void aSecondHelloIsRefusedAndTheSessionGoesOn() {
    say(HELLO);
    say(HELLO);
    assertThat(lastError().re()).isEqualTo("h");
    assertThat(lastError().code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(lastError().field()).isEqualTo("type");
    assertThat(out.closes).isEmpty();
  }

  @Test
  void framesRightBehindTheHelloWaitForIt() {
    onLoop(
        () -> {
          session.text(HELLO);
          return session.text("{\"type\":\"ping\",\"id\":\"p\"}");
        });
    assertThat(out.closes).isEmpty();
    assertThat(out.sent).hasAtLeastOneElementOfType(ServerFrame.Pong.class);
  }

  @Test
  void anotherFrameBeforeHelloClosesTheSocket() {
    say("{\"type\":\"ping\"}");
    assertThat(out.sent).isEmpty();
    assertThat(out.closes).containsExactly(CloseCode.PROTOCOL);
  }

  @Test
  void aBadTokenIsAnsweredAndTheSocketCloses() {
    say(HELLO.replace("good", "old"));
    assertThat(lastError().code()).isEqualTo(ErrorCode.TOKEN_EXPIRED);
    assertThat(lastError().re()).isEqualTo("h");
    assertThat(out.closes).containsExactly(CloseCode.AUTHENTICATE);
  }

  @Test
  void errorsNameTheRequestAndTheSend() {
    say(HELLO);
    String send =
        "{\"type\":\"message.send\",\"id\":\"m\",\"room_id\":\"0000000000007\","
            + "\"client_id\":\"c\",\"body\":\"Hi\"}";
    say(send);
    assertThat(lastError().code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(lastError().re()).isEqualTo("m");
    assertThat(lastError().clientId()).isEqualTo(new ClientId("c"));
    say(send.replace("Hi", " "));
    assertThat(lastError().code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(lastError().re()).isEqualTo("m");
    assertThat(lastError().clientId()).isEqualTo(new ClientId("c"));
    say(send.replace("0000000000007", "whatever"));
    assertThat(lastError().code()).isEqualTo(ErrorCode.NOT_FOUND);
    say("not JSON");
    assertThat(lastError().code()).isEqualTo(ErrorCode.INVALID_JSON);
    assertThat(lastError().re()).isNull();
    assertThat(out.closes).isEmpty();
  }

  @Test
  void errorsOfAnEditNameItsClientId() {
    say(HELLO);
    String edit =
        "{\"type\":\"message.edit\",\"id\":\"m\",\"room_id\":\"0000000000007\",\"seq\":1,"
            + "\"client_id\":\"c\",\"body\":\"Hi\"}";
    say(edit);
    assertThat(lastError().code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(lastError().re()).isEqualTo("m");
    assertThat(lastError().clientId()).isEqualTo(new ClientId("c"));
    say(edit.replace("0000000000007", "whatever"));
    assertThat(lastError().code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(lastError().clientId()).isEqualTo(new ClientId("c"));
    say("{\"type\":\"message.delete\",\"id\":\"d\",\"room_id\":\"0000000000007\",\"seq\":1}");
    assertThat(lastError().code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(lastError().re()).isEqualTo("d");
    assertThat(lastError().clientId()).isNull();
  }

  private void hear(AccountSignal signal) {
    onLoop(
        () -> {
          session.signal(signal);
          return Future.succeededFuture();
        });
  }

  @Test
  void aNewerSessionOfTheDeviceClosesThisOne() {
    say(HELLO);
    hear(displacedBy(new Fence(FakeRooms.EPOCH, 8)));
    assertThat(out.closes).containsExactly(CloseCode.DISPLACED);
  }

  @Test
  void neitherAnOlderSessionNorItsOwnFenceNorAnotherDeviceClosesIt() {
    say(HELLO);
    hear(displacedBy(FENCE));
    hear(displacedBy(new Fence(FakeRooms.EPOCH, 6)));
    hear(displacedBy(new Fence(new Epoch(FakeRooms.EPOCH.value() - 1), 99)));
    hear(
        new AccountSignal.Displaced(
            ANN.caller().account(), new DeviceId("other"), new Fence(FakeRooms.EPOCH, 8)));
    assertThat(out.closes).isEmpty();
  }

  private static AccountSignal displacedBy(Fence fence) {
    return new AccountSignal.Displaced(ANN.caller().account(), ANN.caller().device(), fence);
  }

  @Test
  void whoComparesHearsThatTheSignInIsOver() {
    say(HELLO);
    signInIsOver = true;
    onLoop(() -> session.compare(new ChangeCount(1)));
    assertThat(out.closes).isEmpty();
    onLoop(() -> session.compare(new ChangeCount(2)));
    await().untilAsserted(() -> assertThat(out.closes).containsExactly(CloseCode.REVOKED));
  }

  private static AccountSignal chosen(PresenceStatus status, long number) {
    return new AccountSignal.StatusSet(ANN.caller().account(), status, number);
  }

  @Test
  void aStatusForAllSessionsIsTakenOnceHoweverOftenItIsTold() {
    say(HELLO);
    hear(chosen(PresenceStatus.AWAY, 1));
    say("{\"type\":\"presence.set\",\"status\":\"online\"}");
    hear(chosen(PresenceStatus.AWAY, 1));
    assertThat(shown).containsExactly(PresenceStatus.AWAY, PresenceStatus.ONLINE);
    hear(chosen(PresenceStatus.AWAY, 2));
    assertThat(shown).endsWith(PresenceStatus.ONLINE, PresenceStatus.AWAY);
  }

  @Test
  void whoComparesTakesTheStatusThatItWasNotTold() {
    say(HELLO);
    onLoop(
        () -> session.compare(new ChangeCount(1, 0, 0, new ChosenStatus(3, PresenceStatus.AWAY))));
    hear(chosen(PresenceStatus.ONLINE, 2));
    assertThat(shown).containsExactly(PresenceStatus.AWAY);
  }

  @Test
  void byeClosesAndWhatComesAfterIsNotHeard() {
    say(HELLO);
    say("{\"type\":\"bye\"}");
    say("{\"type\":\"ping\"}");
    assertThat(out.closes).containsExactly(CloseCode.NORMAL);
    assertThat(out.sent).hasSize(1);
    assertThat(broker.asked).containsExactly("watch account 1", "unwatch account 1");
  }
}
