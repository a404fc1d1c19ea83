package io.confab.presence;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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
      case Register(var connections) -> Lane.of(connections.getFirst().account());
      case Unregister(var connection) -> Lane.of(connection.account());
      case FindConnections(var account) -> Lane.of(account);
    };
  }

  /// A session of a device; `node` holds its socket.
  ///
  /// @param fence higher than that of every older session of the device
  record Connection(
      AccountId account, DeviceId device, NodeId node, SessionId session, Fence fence) {}

  /// Enters sessions or makes their entries valid for another 90 s, except where a newer session
  /// has the device; answers the devices of which two sessions met.
  ///
  /// @param connections one at least
  record Register(List<Connection> connections) implements PresenceCommand<Registered> {
    public Register {
      Command.requireSome(connections);
    }
  }

  record Registered(List<Newest> contested) implements BusMessage {}

  /// @param fence of the newest session of the device; all others are displaced
  record Newest(AccountId account, DeviceId device, Fence fence) {}

  /// Removes an entry if it is still this session's.
  record Unregister(Connection connection) implements PresenceCommand<Done> {}

  /// All live sessions of an account.
  record FindConnections(AccountId account) implements PresenceCommand<Connections> {}

  record Connections(List<Connection> connections) implements BusMessage {
    public Set<DeviceId> devices() {
      return connections.stream().map(Connection::device).collect(Collectors.toSet());
    }
  }
}
