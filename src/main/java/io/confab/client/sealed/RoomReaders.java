package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Who is told the keys of rooms. The server alone says who is in one, so what it said first is
/// kept: a room of two stays one of these two, and the person is told of whoever is told the key of
/// another room later than the others.
final class RoomReaders {
  private static final String PEER = "peer-of/";
  private static final String TOLD = "readers/";

  private record Kept(Set<AccountId> accounts) {}

  /// @param own who is no reader
  /// @param members of the room, with oneself
  /// @param readers those of the members who would be told a key
  /// @param peer the other one of a room of two
  Admitted admit(
      Changes changes,
      RoomId room,
      AccountId own,
      Collection<AccountId> members,
      Collection<AccountId> readers,
      Optional<AccountId> peer) {
    Optional<AccountId> other = peer(changes, room, peer);
    return other.isPresent()
        ? ofTwo(room, Set.of(own, other.get()), members)
        : ofMany(changes, room, readers);
  }

  /// The other one of a room of two, as far as that was seen.
  Optional<AccountId> peer(Changes changes, RoomId room) {
    return changes.get(PEER + room).map(json -> SealedJson.kept(json, AccountId.class));
  }

  /// Another device of the account saw who the other one is; what this one saw first stays.
  void keepPeer(Changes changes, RoomId room, AccountId peer) {
    if (peer(changes, room).isEmpty()) {
      changes.put(PEER + room, SealedJson.keep(peer));
    }
  }

  private Optional<AccountId> peer(Changes changes, RoomId room, Optional<AccountId> told) {
    told.ifPresent(first -> keepPeer(changes, room, first));
    return peer(changes, room);
  }

  private static Admitted ofTwo(RoomId room, Set<AccountId> two, Collection<AccountId> members) {
    List<Warning> others =
        members.stream()
            .filter(member -> !two.contains(member))
            .map(member -> new Warning(member, null, Doubt.OTHER_MEMBER, room))
            .toList();
    return new Admitted(others.isEmpty(), others);
  }

  private static Admitted ofMany(Changes changes, RoomId room, Collection<AccountId> readers) {
    String key = TOLD + room;
    Optional<Set<AccountId>> before =
        changes.get(key).map(json -> SealedJson.kept(json, Kept.class).accounts());
    Set<AccountId> all = new HashSet<>(before.orElse(Set.of()));
    List<Warning> later = new ArrayList<>();
    for (AccountId reader : readers) {
      if (all.add(reader) && before.isPresent()) {
        later.add(new Warning(reader, null, Doubt.LATER_READER, room));
      }
    }
    if (before.isEmpty() || !later.isEmpty()) {
      changes.put(key, SealedJson.keep(new Kept(all)));
    }
    return new Admitted(true, List.copyOf(later));
  }
}
