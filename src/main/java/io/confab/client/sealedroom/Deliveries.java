package io.confab.client.sealedroom;

import io.confab.client.RoomSignal;
import io.confab.client.SealedCalls;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What became of the own lines in the rooms that the person looked at: what the server answered,
/// and what it told since. Nothing that arrived becomes undone, and what the own account did with
/// its own lines is not among it. A marker covers what its account never got, so only lines that
/// arrived are read by it.
final class Deliveries {
  private final AccountId own;
  private final Map<RoomId, Map<AccountId, Reception>> rooms = new HashMap<>();

  Deliveries(AccountId own) {
    this.own = own;
  }

  /// What one account got of a room.
  private static final class Reception {
    final TreeMap<Seq, Seq> delivered = new TreeMap<>();
    final Map<Seq, String> failed = new HashMap<>();
    Seq read = Seq.ZERO;

    /// Everything from the one to the other.
    void arrived(Seq from, Seq to) {
      Map.Entry<Seq, Seq> before = delivered.floorEntry(from);
      Seq first = from;
      Seq last = to;
      if (before != null && before.getValue().value() + 1 >= from.value()) {
        first = before.getKey();
        last = Seq.later(last, before.getValue());
      }
      Map.Entry<Seq, Seq> after = delivered.ceilingEntry(first);
      while (after != null && after.getKey().value() <= last.value() + 1) {
        last = Seq.later(last, after.getValue());
        delivered.remove(after.getKey());
        after = delivered.ceilingEntry(first);
      }
      delivered.put(first, last);
    }

    boolean has(Seq seq) {
      Map.Entry<Seq, Seq> run = delivered.floorEntry(seq);
      return run != null && run.getValue().compareTo(seq) >= 0;
    }
  }

  /// Somebody looks at the room: what is told of it is kept from here on.
  void follow(RoomId room) {
    rooms.putIfAbsent(room, new HashMap<>());
  }

  /// The server answered.
  void answered(RoomId room, List<SealedCalls.Delivery> answer) {
    Map<AccountId, Reception> accounts = rooms.computeIfAbsent(room, _ -> new HashMap<>());
    for (SealedCalls.Delivery one : answer) {
      Reception reception = accounts.computeIfAbsent(one.accountId(), _ -> new Reception());
      one.delivered().forEach(run -> reception.arrived(run.from(), run.to()));
      one.failed().forEach(failed -> reception.failed.put(failed.seq(), failed.reason()));
      read(reception, one.readSeq());
    }
  }

  /// The server told something; of rooms that nobody looked at it is passed over.
  ///
  /// @return whether anything changed
  boolean signalled(RoomSignal signal) {
    Map<AccountId, Reception> accounts = rooms.get(signal.roomId());
    if (accounts == null) {
      return false;
    }
    switch (signal) {
      case RoomSignal.Marker marker when marker.accountId().equals(own) -> {
        return false;
      }
      case RoomSignal.Arrived(_, AccountId who, Seq from, Seq to) ->
          accounts.computeIfAbsent(who, _ -> new Reception()).arrived(from, to);
      case RoomSignal.Undelivered(_, AccountId who, Seq seq, String reason) ->
          accounts.computeIfAbsent(who, _ -> new Reception()).failed.put(seq, reason);
      case RoomSignal.Marker marker ->
          read(
              accounts.computeIfAbsent(marker.accountId(), _ -> new Reception()), marker.readSeq());
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void read(Reception reception, @Nullable Seq seq) {
    if (seq != null && seq.compareTo(reception.read) > 0) {
      reception.read = seq;
    }
  }

  Fate of(RoomId room, Seq seq) {
    Set<AccountId> delivered = new HashSet<>();
    Map<AccountId, String> failed = new HashMap<>();
    Set<AccountId> read = new HashSet<>();
    rooms
        .getOrDefault(room, Map.of())
        .forEach(
            (account, reception) -> {
              if (reception.has(seq)) {
                delivered.add(account);
                if (reception.read.compareTo(seq) >= 0) {
                  read.add(account);
                }
              } else if (reception.failed.containsKey(seq)) {
                failed.put(account, reception.failed.getOrDefault(seq, ""));
              }
            });
    return new Fate(Set.copyOf(delivered), Map.copyOf(failed), Set.copyOf(read));
  }
}
