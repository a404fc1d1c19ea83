package io.confab.socket;

import io.confab.bus.Bus;
import io.confab.feed.AccountSignal;
import io.confab.feed.AccountSignal.Displaced;
import io.confab.feed.Announcer;
import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Heard;
import io.confab.presence.PresenceCommand.Newest;
import io.confab.presence.PresenceCommand.Register;
import io.confab.presence.PresenceCommand.Say;
import io.confab.presence.PresenceCommand.Unregister;
import io.confab.presence.PresenceShards;
import io.confab.presence.PresentAccounts;
import io.confab.presence.SessionBeat;
import io.confab.protocol.Caller;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/// Keeps the sessions of this node in the connection registry, until they end, and says that their
/// accounts are there; sockets never wait for it. Where the registry finds two sessions of a
/// device, all nodes are told the fence of the newer one; this is repeated for as long as both are
/// there. Thread-safe.
public final class RegisteredSessions implements SessionRegistry {
  private final Bus bus;
  private final NodeId node;
  private final Announcer announcer;
  private final SessionBeat beat;
  private final PresentAccounts present;

  public RegisteredSessions(
      Vertx vertx, Bus bus, NodeId node, Announcer announcer, PresenceShards shards) {
    this.bus = bus;
    this.node = node;
    this.announcer = announcer;
    this.beat =
        new SessionBeat(
            this::register,
            connection -> bus.request(new Unregister(connection)),
            System::nanoTime);
    beat.start(vertx);
    this.present =
        new PresentAccounts(
            shards,
            (shard, since, words) ->
                bus.request(new Say(node, shard, since, words)).map(Heard::since),
            System::nanoTime);
    present.start(vertx);
  }

  @Override
  public void opened(SessionId session, Caller caller, Fence fence) {
    beat.add(connection(session, caller, fence));
    present.opened(caller.account(), session);
  }

  @Override
  public void closed(SessionId session, Caller caller, Fence fence, boolean parting) {
    beat.remove(connection(session, caller, fence));
    present.closed(caller.account(), session, parting);
  }

  @Override
  public void shows(SessionId session, Caller caller, PresenceStatus status) {
    present.shows(caller.account(), session, status);
  }

  /// How many accounts have sessions here.
  public int accounts() {
    return present.count();
  }

  /// Says of those who are still here that they leave, unless they come back elsewhere. Done when
  /// it was said, or cannot be.
  public Future<?> leave() {
    return present.close();
  }

  private Connection connection(SessionId session, Caller caller, Fence fence) {
    return new Connection(caller.account(), caller.device(), node, session, fence);
  }

  private Future<?> register(List<Connection> connections) {
    return bus.request(new Register(connections)).onSuccess(answer -> tell(answer.contested()));
  }

  private void tell(List<Newest> contested) {
    announcer.signal(contested.stream().map(RegisteredSessions::displacement).toList());
  }

  private static AccountSignal displacement(Newest newest) {
    return new Displaced(newest.account(), newest.device(), newest.fence());
  }
}
