package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.presence.PresenceCommand.FindMemberships;
import io.confab.presence.PresenceCommand.FindRooms;
import io.confab.presence.PresenceCommand.FoundRoom;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The rooms that sessions of one event loop watch, and what is read of them while they do: who is
/// in them, once for all sessions, and whether those who watch still are. Belongs to its loop.
final class WatchedRooms {
  /// One with its members is up to 200 ids.
  private static final int ROOMS_AT_ONCE = 50;

  private static final int MEMBERSHIPS_AT_ONCE = 1_000;

  private final SocketLoop loop;
  private final Requests bus;
  private final Map<RoomId, WatchedRoom> rooms = new HashMap<>();
  private final Batches<WatchedRoom> reads;
  private final Batches<Membership> checks;

  private record Membership(PresenceWatch watch, WatchedRoom room) {}

  WatchedRooms(SocketLoop loop, Requests bus) {
    this.loop = loop;
    this.bus = bus;
    this.reads = new Batches<>(loop.wheel(), ROOMS_AT_ONCE, this::readAll);
    this.checks = new Batches<>(loop.wheel(), MEMBERSHIPS_AT_ONCE, this::checkAll);
    loop.presence().onCompareAll(this::compareAll);
  }

  private void compareAll() {
    reads.add(rooms.values());
    checks.add(
        rooms.values().stream()
            .flatMap(room -> room.watches().stream().map(watch -> new Membership(watch, room)))
            .toList());
  }

  boolean has(RoomId room) {
    return rooms.containsKey(room);
  }

  WatchedRoom join(PresenceWatch watch, FoundRoom found) {
    WatchedRoom present = rooms.get(found.room());
    if (present != null) {
      present.join(watch);
      present.compare(found);
      return present;
    }
    WatchedRoom room = new WatchedRoom(found.room(), loop, bus, this);
    rooms.put(room.id(), room);
    room.join(watch);
    room.learn(found);
    return room;
  }

  void leave(PresenceWatch watch, WatchedRoom room) {
    room.leave(watch);
    checks.remove(new Membership(watch, room));
    if (room.isUnused()) {
      reads.remove(room);
      rooms.remove(room.id(), room);
    }
  }

  /// Finds who is in the room now.
  void read(WatchedRoom room) {
    reads.add(List.of(room));
  }

  private Future<?> readAll(List<WatchedRoom> some) {
    return bus.request(new FindRooms(null, some.stream().map(WatchedRoom::id).toList()))
        .onSuccess(
            found -> {
              Map<RoomId, FoundRoom> now = new HashMap<>();
              found.rooms().forEach(room -> now.put(room.room(), room));
              for (WatchedRoom room : some) {
                room.learn(now.getOrDefault(room.id(), new FoundRoom(room.id(), 0, List.of())));
              }
            });
  }

  /// Finds whether a session may still watch the room; one whose account is no member any more
  /// does not. Tried until it is known, and again if the session has begun to watch anew meanwhile.
  void check(PresenceWatch watch, WatchedRoom room) {
    checks.add(List.of(new Membership(watch, room)));
  }

  private Future<?> checkAll(List<Membership> some) {
    long[] begun = some.stream().mapToLong(one -> one.watch().begun()).toArray();
    return bus.request(
            new FindMemberships(
                some.stream().map(one -> one.watch().viewer()).toList(),
                some.stream().map(one -> one.room().id()).toList()))
        .onSuccess(
            found -> {
              for (int i = 0; i < some.size(); i++) {
                if (!found.members().get(i)) {
                  end(some.get(i), begun[i]);
                }
              }
            });
  }

  private void end(Membership one, long begun) {
    if (one.watch().begun() == begun) {
      one.watch().drop(one.room());
    } else if (one.watch().watches(one.room())) {
      checks.add(List.of(one));
    }
  }
}
