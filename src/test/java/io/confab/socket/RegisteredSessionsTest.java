package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.config.NodeRole;
import io.confab.feed.AccountSignal;
import io.confab.presence.PresenceCommand;
import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Connections;
import io.confab.presence.PresenceCommand.Newest;
import io.confab.presence.PresenceCommand.Register;
import io.confab.presence.PresenceCommand.Registered;
import io.confab.presence.PresenceCommand.Unregister;
import io.confab.presence.PresenceShards;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.protocol.SessionId;
import io.confab.testing.Futures;
import io.confab.testing.RecordingAnnouncer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(60)
class RegisteredSessionsTest {
  private static final NodeId NODE = new NodeId("a");
  private static final SessionId MINE = new SessionId("mine");
  private static final Caller ANN = new Caller(new AccountId(1), new DeviceId("phone"));
  private static final Fence FENCE = new Fence(new Epoch(1), 5);
  private static final Connection CONNECTION =
      new Connection(ANN.account(), ANN.device(), NODE, MINE, FENCE);

  private final List<PresenceCommand<?>> asked = new CopyOnWriteArrayList<>();
  private final RecordingAnnouncer announcer = new RecordingAnnouncer();
  private volatile boolean away;
  private volatile List<Newest> contested = List.of();
  private RegisteredSessions sessions;

  @BeforeEach
  void open(Vertx vertx) {
    Bus bus = new Bus(vertx, Peers.alone(new Peer(NODE, Map.of(NodeRole.PRESENCE, 1))));
    Futures.get(bus.serve(PresenceCommand.ADDRESS, 0, this::answer));
    sessions = new RegisteredSessions(vertx, bus, NODE, announcer, new PresenceShards(1));
  }

  private Future<? extends BusMessage> answer(PresenceCommand<?> command) {
    if (command instanceof PresenceCommand.Say) {
      return Future.succeededFuture(new PresenceCommand.Heard(1));
    }
    asked.add(command);
    if (away) {
      return Future.failedFuture(Refusal.unavailable("Redis is away"));
    }
    return Future.succeededFuture(
        switch (command) {
          case Register _ -> new Registered(contested);
          case Unregister _ -> Done.DONE;
          case PresenceCommand.FindConnections _ -> new Connections(List.of());
          default -> throw new AssertionError(command);
        });
  }

  private void awaitAsked(int times) {
    await().until(() -> asked.size() >= times);
  }

  @Test
  void aSessionIsEnteredWhenItOpensAndRemovedWhenItCloses() {
    sessions.opened(MINE, ANN, FENCE);
    awaitAsked(1);
    sessions.closed(MINE, ANN, FENCE, true);
    awaitAsked(2);
    assertThat(asked)
        .containsExactly(new Register(List.of(CONNECTION)), new Unregister(CONNECTION));
    assertThat(announcer.signals).isEmpty();
  }

  @Test
  void whereTwoSessionsMeetAllAreToldTheFenceOfTheNewer() {
    Fence newer = new Fence(new Epoch(1), 9);
    contested = List.of(new Newest(ANN.account(), ANN.device(), newer));
    sessions.opened(MINE, ANN, FENCE);
    await()
        .untilAsserted(
            () ->
                assertThat(announcer.signals)
                    .containsExactly(
                        new AccountSignal.Displaced(ANN.account(), ANN.device(), newer)));
  }

  @Test
  void aRegistrationThatFailsIsTriedAgain() {
    away = true;
    sessions.opened(MINE, ANN, FENCE);
    awaitAsked(2);
    away = false;
    contested = List.of(new Newest(ANN.account(), ANN.device(), FENCE));
    await().until(() -> !announcer.signals.isEmpty());
    assertThat(asked).allMatch(new Register(List.of(CONNECTION))::equals);
  }
}
