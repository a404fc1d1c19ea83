package io.confab.socket;

import io.confab.protocol.Rev;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.Membership;
import io.confab.room.RoomCommand.Memberships;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The rooms of an account as the client of one session knows them.
final class KnownRooms {
  private final Map<RoomId, Known> rooms = new HashMap<>();
  private @Nullable Watcher watcher;

  /// Who is told of rooms that come and go.
  interface Watcher {
    void added(RoomId room);

    void removed(RoomId room);
  }

  /// One membership. It is compared by identity, because equal ones may be of different
  /// memberships.
  ///
  /// @param memberAt a rev at which the account was a member
  /// @param seesAll false also when it is not known
  /// @param capped whether the room had a capacity at that rev
  /// @param insideOnly whether it was read by those inside only
  record Known(Rev memberAt, boolean seesAll, boolean capped, boolean insideOnly) {
    SeatRule seats() {
      return new SeatRule(memberAt, capped, insideOnly);
    }
  }

  void welcomed(Memberships memberships) {
    memberships
        .rooms()
        .forEach(
            room ->
                put(
                    room.room(),
                    new Known(room.rev(), room.seesAll(), room.capped(), room.insideOnly())));
  }

  /// Tells of all that there are, and from now on of those that come and go.
  void watch(Watcher by) {
    watcher = by;
    rooms.keySet().forEach(by::added);
  }

  void unwatch() {
    watcher = null;
  }

  private void put(RoomId room, Known membership) {
    rooms.put(room, membership);
    if (watcher != null) {
      watcher.added(room);
    }
  }

  /// Those that had a capacity when they were looked at.
  List<RoomId> capped() {
    return rooms.entrySet().stream()
        .filter(room -> room.getValue().capped())
        .map(Map.Entry::getKey)
        .toList();
  }

  @Nullable Known get(RoomId room) {
    return rooms.get(room);
  }

  boolean contains(RoomId room) {
    return rooms.containsKey(room);
  }

  /// Whether what was so at a rev of the room may be of a membership before the known one.
  boolean isEarlier(RoomId room, Rev asOf) {
    Known membership = rooms.get(room);
    return membership != null && membership.memberAt().isAfter(asOf);
  }

  boolean isLimited(RoomId room) {
    Known membership = rooms.get(room);
    return membership != null && !membership.seesAll();
  }

  void add(Room view) {
    put(
        view.roomId(),
        new Known(view.rev(), false, view.capacity() != null, view.isReadInsideOnly()));
  }

  /// Answers whether it was there.
  boolean remove(RoomId room) {
    boolean was = rooms.remove(room) != null;
    if (was && watcher != null) {
      watcher.removed(room);
    }
    return was;
  }

  /// Forgets a membership that a look did not find, unless something newer became known during the
  /// look; says whether it did.
  boolean forget(RoomId room, @Nullable Known asked) {
    return asked != null && isStill(asked, room) && remove(room);
  }

  @SuppressWarnings("ReferenceEquality") // equal ones may be of different memberships
  boolean isStill(@Nullable Known asked, RoomId room) {
    return rooms.get(room) == asked;
  }

  Map<RoomId, Known> copy() {
    return new HashMap<>(rooms);
  }

  Set<RoomId> without(Set<RoomId> others) {
    Set<RoomId> rest = new HashSet<>(rooms.keySet());
    rest.removeAll(others);
    return rest;
  }

  /// Rooms in which the account is and of which the client was not told, or the other way round.
  /// The end of a membership whose stream is open stands in the log of the room. Of an account in
  /// too many rooms only the latest active ones are told, which is no reason to tell the client.
  Set<RoomId> differing(Memberships now, Set<RoomId> streaming) {
    Set<RoomId> listed = now.rooms().stream().map(Membership::room).collect(Collectors.toSet());
    Set<RoomId> differing = without(streaming);
    differing.removeAll(listed);
    if (!now.more()) {
      listed.stream().filter(room -> !rooms.containsKey(room)).forEach(differing::add);
    }
    return differing;
  }
}
