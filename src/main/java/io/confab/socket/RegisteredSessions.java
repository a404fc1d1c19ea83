package io.confab.socket;

import io.confab.bus.Bus;
import io.confab.bus.Lane;
import io.confab.feed.AccountNews.Displaced;
import io.confab.feed.Announcer;
import io.confab.presence.PresenceCommand;
import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.FindConnections;
import io.confab.presence.PresenceCommand.Register;
import io.confab.presence.PresenceCommand.Registered;
import io.confab.presence.PresenceCommand.Registration;
import io.confab.presence.PresenceCommand.Unregister;
import io.confab.presence.SessionBeat;
import io.confab.protocol.Caller;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps the sessions of this node in the connection registry. A registration that fails is
/// tried again until the session ends; sockets never wait for it. Thread-safe.
public final class RegisteredSessions implements SessionRegistry {
  private static final long RETRY_MS = 2_000;
  private static final int MOST_RETRIES = 500;

  private final Bus bus;
  private final NodeId node;
  private final Announcer announcer;
  private final SessionBeat beat;
  private final Map<SessionId, Connection> unregistered = new ConcurrentHashMap<>();
  private final Map<SessionId, Registration> registered = new ConcurrentHashMap<>();

  public RegisteredSessions(Vertx vertx, Bus bus, NodeId node, Announcer announcer) {
    this.bus = bus;
    this.node = node;
    this.announcer = announcer;
    this.beat =
        new SessionBeat(
            refresh -> bus.request(PresenceCommand.ADDRESS, Lane.of(node.hashCode()), refresh),
            this::displace);
    beat.start(vertx);
    vertx.setPeriodic(RETRY_MS, _ -> retry());
  }

  @Override
  public void opened(SessionId session, Caller caller) {
    Connection connection = new Connection(caller.account(), caller.device(), node, session);
    unregistered.put(session, connection);
    register(connection);
  }

  private void register(Connection connection) {
    bus.request(
            PresenceCommand.ADDRESS,
            Lane.of(connection.account().value()),
            new Register(connection))
        .onSuccess(answer -> registered(connection, answer));
  }

  private void registered(Connection connection, Registered answer) {
    Registration registration = new Registration(connection, answer.fence());
    if (unregistered.remove(connection.session()) == null) {
      unregister(registration); // it closed meanwhile
      return;
    }
    registered.put(connection.session(), registration);
    beat.add(registration);
    Connection displaced = answer.displaced();
    if (displaced != null && !displaced.session().equals(connection.session())) {
      announcer.ring(
          List.of(new Displaced(connection.account(), connection.device(), connection.session())));
    }
  }

  private void retry() {
    unregistered.values().stream().limit(MOST_RETRIES).forEach(this::register);
  }

  @Override
  public void closed(SessionId session, Caller caller) {
    unregistered.remove(session);
    Registration registration = registered.remove(session);
    if (registration != null) {
      beat.remove(registration.connection());
      unregister(registration);
    }
  }

  private void unregister(Registration registration) {
    bus.request(
        PresenceCommand.ADDRESS,
        Lane.of(registration.connection().account().value()),
        new Unregister(registration.connection(), registration.fence()));
  }

  /// The device belongs to another session: whoever holds one of its former ones is told which.
  private void displace(Connection lost) {
    registered.remove(lost.session());
    bus.request(
            PresenceCommand.ADDRESS,
            Lane.of(lost.account().value()),
            new FindConnections(lost.account()))
        .onSuccess(
            found ->
                found.connections().stream()
                    .filter(connection -> connection.device().equals(lost.device()))
                    .forEach(this::announceOwner));
  }

  private void announceOwner(Connection owner) {
    announcer.ring(List.of(new Displaced(owner.account(), owner.device(), owner.session())));
  }
}
