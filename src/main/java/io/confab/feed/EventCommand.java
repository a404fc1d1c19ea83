package io.confab.feed;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Reads of the numbered log of rooms, always from the primary.
public sealed interface EventCommand<R extends BusMessage> extends Command<R> {
  Address<EventCommand<?>> ADDRESS = new Address<>("events", NodeRole.PERSISTENCE);

  @Override
  default Address<EventCommand<?>> address() {
    return ADDRESS;
  }

  /// Repairs of gaps ask again soon.
  @Override
  default Duration patience() {
    return Duration.ofSeconds(2);
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case ReadEvents(var room, _, _) -> Lane.of(room);
      case ReadPositions(var rooms) -> Lane.of(rooms.getFirst());
      case ReadVisibility(var account, _) -> Lane.of(account);
    };
  }

  /// The events with `after < rev`, in order, at most `limit` of them and fewer where they are
  /// large, and only whole: the first is `after + 1` and none is missing in between.
  record ReadEvents(RoomId room, Rev after, int limit) implements EventCommand<EventPage> {}

  /// @param head the room's rev when the page was read
  record EventPage(RoomId room, Epoch epoch, List<Event> events, Rev head) implements BusMessage {}

  /// Where rooms stand. Rooms that do not exist are left out.
  ///
  /// @param rooms one at least
  record ReadPositions(List<RoomId> rooms) implements EventCommand<Positions> {
    public ReadPositions {
      Command.requireSome(rooms);
    }
  }

  record Positions(Epoch epoch, List<RoomPosition> rooms) implements BusMessage {}

  /// What an account may see of rooms. Rooms in which it never was are left out.
  record ReadVisibility(AccountId account, List<RoomId> rooms)
      implements EventCommand<Visibilities> {}

  record Visibilities(List<RoomVisibility> rooms) implements BusMessage {
    public Map<RoomId, Visibility> byRoom() {
      return rooms.stream()
          .collect(Collectors.toMap(RoomVisibility::room, RoomVisibility::visibility));
    }
  }

  record RoomVisibility(RoomId room, Visibility visibility) {}

  record RoomPosition(RoomId room, Seq seq, Rev rev) {}
}
