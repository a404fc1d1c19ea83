package io.confab.socket;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.SeatLoss;
import io.confab.seat.SeatState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// How accounts stand in rooms with a capacity, as one event loop knows it.
final class SeatStands {
  private final Map<RoomId, Map<AccountId, Stand>> rooms = new LinkedHashMap<>();
  private final Map<AccountId, Set<RoomId>> byAccount = new HashMap<>();
  private int count;

  /// How an account stands in a room.
  static final class Stand {
    SeatState state;

    /// When the last command was sent by which that was confirmed.
    long confirmed;

    /// When it checked in last.
    long beaten;

    long told;
    SeatState toldState;

    /// Why it is said to be over, and since when that is known.
    @Nullable SeatLoss loss;

    long lossAt;

    /// Whether streams go on that need a seat.
    boolean honoured;

    Stand(SeatState state, long sent) {
      this.state = state;
      this.toldState = state;
      this.confirmed = sent;
      this.beaten = sent;
      this.told = sent;
    }
  }

  @Nullable Stand get(AccountId account, RoomId room) {
    return rooms.getOrDefault(room, Map.of()).get(account);
  }

  void add(AccountId account, RoomId room, Stand stand) {
    rooms.computeIfAbsent(room, _ -> new LinkedHashMap<>()).put(account, stand);
    byAccount.computeIfAbsent(account, _ -> new HashSet<>()).add(room);
    count++;
  }

  /// Says whether there was anything.
  boolean remove(AccountId account, RoomId room) {
    Map<AccountId, Stand> stands = rooms.get(room);
    if (stands == null || stands.remove(account) == null) {
      return false;
    }
    count--;
    if (stands.isEmpty()) {
      rooms.remove(room);
    }
    Set<RoomId> its = byAccount.getOrDefault(account, new HashSet<>());
    its.remove(room);
    if (its.isEmpty()) {
      byAccount.remove(account);
    }
    return true;
  }

  /// The rooms in which an account has something.
  List<RoomId> roomsOf(AccountId account) {
    return List.copyOf(byAccount.getOrDefault(account, Set.of()));
  }

  void forEach(BiConsumer<RoomId, Map<AccountId, Stand>> action) {
    rooms.forEach(action);
  }

  int size() {
    return count;
  }
}
