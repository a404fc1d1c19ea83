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
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.PresenceView;
import io.confab.protocol.RoomId;
import io.confab.protocol.SessionId;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Who is connected where, and who is there to others. All of it is a cache of what nodes know:
/// losing it loses no message.
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
      case Say(_, var shard, _, _) -> Lane.of((long) shard);
      case FindPresence(var accounts) -> Lane.of((long) accounts.hashCode());
      case Look(_, var accounts) -> Lane.of((long) accounts.hashCode());
      case ReadPresence(var viewer, _) -> Lane.of(viewer);
      case SetPresence(var account, _, _) -> Lane.of(account);
      case FindRooms(_, var rooms) -> Lane.of(rooms.getFirst());
      case FindMemberships(_, var rooms) -> Lane.of((long) rooms.hashCode());
      case CountOnline(var room) -> Lane.of(room);
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

  /// What a node says of accounts of one shard; who is another thing by that is told to others.
  ///
  /// @param since when the data began that the node knows to be there; 0: none
  /// @param words one at least
  record Say(NodeId node, int shard, long since, List<PresenceWord> words)
      implements PresenceCommand<Heard> {
    public Say {
      Command.requireSome(words);
    }
  }

  /// @param since when the data began that is there: another time than before means that it was
  ///     lost
  record Heard(long since) implements BusMessage {}

  /// Whether these accounts are there, whoever asks; nothing is hidden.
  ///
  /// @param accounts one at least, once each
  record FindPresence(List<AccountId> accounts) implements PresenceCommand<Presences> {
    public FindPresence {
      Command.requireSome(accounts);
    }
  }

  /// @param sure false while Redis is away or has lost its data: then some of it is what was
  ///     known last
  record Presences(List<Presence> accounts, boolean sure) implements BusMessage {}

  /// @param version newer than all transitions of the account that it shows; 0: none
  record Presence(AccountId account, PresenceStatus status, long version) {}

  /// What viewers may know of accounts, pair by pair.
  ///
  /// @param accounts as many as viewers, one at least
  record Look(List<AccountId> viewers, List<AccountId> accounts)
      implements PresenceCommand<Sights> {
    public Look {
      Command.requireSome(accounts);
    }
  }

  /// In the order of the pairs.
  record Sights(List<Sight> sights) implements BusMessage {}

  /// What one account is shown of another.
  ///
  /// @param viewer reads its presence
  /// @param accounts one at least
  record ReadPresence(AccountId viewer, List<AccountId> accounts)
      implements PresenceCommand<PresenceViews> {
    public ReadPresence {
      Command.requireSome(accounts);
    }
  }

  record PresenceViews(List<PresenceView> accounts) implements BusMessage {}

  /// Changes what the account is and says of itself, in all of its sessions.
  ///
  /// @param status of its sessions; null: as they are
  /// @param text null: as before; empty: none
  record SetPresence(AccountId account, @Nullable PresenceStatus status, @Nullable String text)
      implements PresenceCommand<Done> {}

  /// Rooms with their members, if those are few.
  ///
  /// @param viewer of whose rooms alone; null: of all
  /// @param rooms one at least
  record FindRooms(@Nullable AccountId viewer, List<RoomId> rooms)
      implements PresenceCommand<FoundRooms> {
    public FindRooms {
      Command.requireSome(rooms);
    }
  }

  record FoundRooms(List<FoundRoom> rooms) implements BusMessage {}

  /// @param accounts its members, none where they are more than [#MOST_NAMED]
  record FoundRoom(RoomId room, long members, List<AccountId> accounts) {
    /// In larger rooms nobody is told who is there, only how many.
    public static final int MOST_NAMED = 200;

    public boolean isLarge() {
      return members > MOST_NAMED;
    }
  }

  /// Whether viewers are members of rooms, pair by pair.
  ///
  /// @param rooms as many as viewers, one at least
  record FindMemberships(List<AccountId> viewers, List<RoomId> rooms)
      implements PresenceCommand<Memberships> {
    public FindMemberships {
      Command.requireSome(rooms);
    }
  }

  /// In the order of the pairs.
  record Memberships(List<Boolean> members) implements BusMessage {}

  /// How many members of a room are there, of those who do not hide. Fails with `unavailable`
  /// while that is not known.
  record CountOnline(RoomId room) implements PresenceCommand<OnlineCount> {}

  /// @param less how many of them each of these may not know of, [#BY_VIEWER]
  record OnlineCount(long members, long online, List<Less> less) implements BusMessage {
    static final Comparator<Less> BY_VIEWER =
        Comparator.comparingLong(each -> each.viewer().value());

    /// What one member may know.
    public long shownTo(AccountId viewer) {
      int found = Collections.binarySearch(less, new Less(viewer, 0), BY_VIEWER);
      return found < 0 ? online : online - less.get(found).by();
    }
  }

  record Less(AccountId viewer, long by) {}
}
