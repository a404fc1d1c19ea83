package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.config.NodeRole;
import io.confab.presence.PresenceCommand;
import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Connections;
import io.confab.presence.PresenceCommand.Fence;
import io.confab.presence.PresenceCommand.Lost;
import io.confab.presence.PresenceCommand.Registered;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
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

  private Bus bus;
  private final List<PresenceCommand<?>> asked = new CopyOnWriteArrayList<>();
  private final List<Connection> registry = new CopyOnWriteArrayList<>();
  private volatile boolean away;
  private RegisteredSessions sessions;

  @BeforeEach
  void open(Vertx vertx) {
    this.bus = new Bus(vertx, Peers.alone(new Peer(NODE, Map.of(NodeRole.PRESENCE, 1))));
    Futures.get(bus.serve(PresenceCommand.ADDRESS, 0, this::answer));
    sessions = new RegisteredSessions(vertx, bus, NODE, new RecordingAnnouncer());
  }

  private Future<? extends BusMessage> answer(PresenceCommand<?> command) {
    asked.add(command);
    if (away) {
      return Future.failedFuture(Refusal.unavailable("Redis is away"));
    }
    return Future.succeededFuture(
        switch (command) {
          case PresenceCommand.Register _ -> new Registered(new Fence("i", 1), null);
          case PresenceCommand.Refresh _ -> new Lost(List.of());
          case PresenceCommand.Unregister _ -> Done.DONE;
          case PresenceCommand.FindConnections _ -> new Connections(List.copyOf(registry));
        });
  }

  private static Connection connection(String device, SessionId session) {
    return new Connection(ANN.account(), new DeviceId(device), NODE, session);
  }

  private void open(SessionId session) {
    sessions.opened(session, ANN);
    await().until(() -> !asked.isEmpty());
  }

  private boolean isDisplaced() {
    return Futures.get(sessions.isDisplaced(MINE));
  }

  @Test
  void whoeverElseHasTheDeviceDisplacedThisSession() {
    open(MINE);
    registry.add(connection("phone", new SessionId("other")));
    await().until(this::isDisplaced);
  }

  @Test
  void whoHasTheDeviceOrKnowsNobodyWhoDoesIsNotDisplaced() {
    open(MINE);
    registry.add(connection("tablet", new SessionId("other")));
    awaitAsked();
    assertThat(isDisplaced()).isFalse();
    registry.add(connection("phone", MINE));
    assertThat(isDisplaced()).isFalse();
  }

  /// Until the answer to the registration has come the registry is not asked.
  private void awaitAsked() {
    await()
        .until(
            () -> {
              isDisplaced();
              return asked.stream().anyMatch(PresenceCommand.FindConnections.class::isInstance);
            });
  }

  @Test
  void whoIsNotRegisteredYetIsTheNewest() {
    away = true;
    open(MINE);
    registry.add(connection("phone", new SessionId("former")));
    assertThat(isDisplaced()).isFalse();
    assertThat(asked).noneMatch(PresenceCommand.FindConnections.class::isInstance);
    assertThat(Futures.get(sessions.isDisplaced(new SessionId("unknown")))).isFalse();
  }
}
