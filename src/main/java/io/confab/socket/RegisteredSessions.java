package io.confab.socket;

import io.confab.bus.Bus;
import io.confab.feed.AccountSignal.Displaced;
import io.confab.feed.Announcer;
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
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Keeps the sessions of this node in the connection registry. A registration that fails is
/// tried again until the session ends; sockets never wait for it. Thread-safe.
public final class RegisteredSessions implements SessionRegistry {
  private static final long RETRY_MS = 2_000;
  private static final int MOST_RETRIES = 500;

  private final Bus bus;
  private final NodeId node;
  private final Announcer announcer;
  private final SessionBeat beat;
  private final Map<SessionId, Entry> entries = new ConcurrentHashMap<>();

  /// A session of this node: asked for or not, and its registration once it has one.
  private record Entry(Connection connection, boolean asking, @Nullable Registration registration) {
    /// Marks it as asked for, unless it is or has its answer; tells whom to ask for.
    Entry asked(AtomicReference<@Nullable Connection> whom) {
      if (asking || registration != null) {
        return this;
      }
      whom.set(connection);
      return new Entry(connection, true, null);
    }

    Entry withoutAnswer() {
      return registration == null ? new Entry(connection, false, null) : this;
    }
  }

  public RegisteredSessions(Vertx vertx, Bus bus, NodeId node, Announcer announcer) {
    this.bus = bus;
    this.node = node;
    this.announcer = announcer;
    this.beat = new SessionBeat(refresh -> bus.request(refresh), this::displace);
    beat.start(vertx);
    vertx.setPeriodic(RETRY_MS, _ -> retry());
  }

  @Override
  public void opened(SessionId session, Caller caller) {
    entries.put(
        session,
        new Entry(new Connection(caller.account(), caller.device(), node, session), false, null));
    register(session);
  }

  private void register(SessionId session) {
    AtomicReference<@Nullable Connection> asked = new AtomicReference<>();
    entries.computeIfPresent(session, (_, entry) -> entry.asked(asked));
    Connection connection = asked.get();
    if (connection != null) {
      bus.request(new Register(connection))
          .onSuccess(answer -> registered(connection, answer))
          .onFailure(_ -> entries.computeIfPresent(session, (_, entry) -> entry.withoutAnswer()));
    }
  }

  private void registered(Connection connection, Registered answer) {
    Registration registration = new Registration(connection, answer.fence());
    Entry entry =
        entries.computeIfPresent(
            connection.session(),
            (_, _) -> {
              beat.add(registration);
              return new Entry(connection, false, registration);
            });
    if (entry == null) {
      unregister(registration); // it closed meanwhile
      return;
    }
    Connection displaced = answer.displaced();
    if (displaced != null && !displaced.session().equals(connection.session())) {
      announceOwner(connection);
    }
  }

  private void retry() {
    entries.values().stream()
        .filter(entry -> entry.registration() == null && !entry.asking())
        .limit(MOST_RETRIES)
        .forEach(entry -> register(entry.connection().session()));
  }

  @Override
  public void closed(SessionId session, Caller caller) {
    entries.computeIfPresent(
        session,
        (_, entry) -> {
          Registration registration = entry.registration();
          if (registration != null) {
            beat.remove(entry.connection());
            unregister(registration);
          }
          return null;
        });
  }

  /// One that is not registered yet is not displaced: its own registration is the newest.
  @Override
  public Future<Boolean> isDisplaced(SessionId session) {
    Entry entry = entries.get(session);
    if (entry == null || entry.registration() == null) {
      return Future.succeededFuture(false);
    }
    Connection mine = entry.connection();
    return owners(mine)
        .map(owners -> owners.stream().anyMatch(owner -> !owner.session().equals(session)));
  }

  /// The sessions that have this one's device now: at most one.
  private Future<List<Connection>> owners(Connection connection) {
    return bus.request(new FindConnections(connection.account()))
        .map(
            found ->
                found.connections().stream()
                    .filter(other -> other.device().equals(connection.device()))
                    .toList());
  }

  private void unregister(Registration registration) {
    bus.request(new Unregister(registration.connection(), registration.fence()));
  }

  /// The device belongs to another session: whoever holds one of its former ones is told which.
  private void displace(Connection lost) {
    entries.remove(lost.session());
    owners(lost).onSuccess(owners -> owners.forEach(this::announceOwner));
  }

  private void announceOwner(Connection owner) {
    announcer.signal(List.of(new Displaced(owner.account(), owner.device(), owner.session())));
  }
}
