package io.confab.presence;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The connection registry. It is a cache of what nodes know: losing it loses no message.
public sealed interface PresenceCommand<R extends BusMessage> extends Command<R> {
  Address<PresenceCommand<?>> ADDRESS = new Address<>("presence", NodeRole.PRESENCE);

  @Override
  default Address<PresenceCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case Register(var connection) -> Lane.of(connection.account());
      case Unregister(var connection, _) -> Lane.of(connection.account());
      case FindConnections(var account) -> Lane.of(account);
      case Refresh(var registrations) ->
          Lane.of(registrations.getFirst().connection().node().value());
    };
  }

  /// A session of a device; `node` holds its socket.
  record Connection(AccountId account, DeviceId device, NodeId node, SessionId session) {}

  /// Enters a session with a new fence; answers which session was there before.
  record Register(Connection connection) implements PresenceCommand<Registered> {}

  /// @param incarnation of Redis, @param counter of the account: together the fencing token
  record Fence(String incarnation, long counter) {}

  record Registered(Fence fence, @Nullable Connection displaced) implements BusMessage {}

  /// Makes entries valid for another 90 s, entering again those that Redis lost; answers those
  /// whose device belongs to another session now.
  record Refresh(List<Registration> registrations) implements PresenceCommand<Lost> {}

  record Registration(Connection connection, Fence fence) {}

  record Lost(List<Connection> connections) implements BusMessage {}

  /// Removes an entry if it is still this session's.
  record Unregister(Connection connection, Fence fence) implements PresenceCommand<Done> {}

  /// All live sessions of an account.
  record FindConnections(AccountId account) implements PresenceCommand<Connections> {}

  record Connections(List<Connection> connections) implements BusMessage {}
}
