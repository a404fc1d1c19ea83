package io.confab.socket;

import io.confab.feed.GivenSeat;
import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.SeatLoss;
import io.confab.seat.SeatCommand;
import io.confab.seat.SeatState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
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

    /// Whether a session waits to be told.
    boolean untold;

    /// Why it is said to be over, and since when that is known.
    @Nullable SeatLoss loss;

    long lossAt;

    /// Whether streams go on that need a seat.
    boolean honoured;

    /// The seat of which a signal told, and when that was heard.
    private @Nullable GivenSeat given;

    private long givenAt;

    Stand(SeatState state, long sent) {
      this.state = state;
      this.toldState = state;
      this.confirmed = sent;
      this.beaten = sent;
      this.told = sent;
    }

    /// For how long a seat is honoured without being confirmed. Not when it is said to be lost.
    long left(long now) {
      return loss == null ? SeatCommand.LEASE.toNanos() - (now - confirmed) : 0;
    }

    /// Whether it was given a seat since what is known of it, and can go by that now: its check-ins
    /// keep what it has, whether that is a place or a seat.
    boolean isBefore(GivenSeat seat, long now) {
      return state instanceof SeatState.Waiting waiting
          && waiting.version() < seat.version()
          && left(now) > 0;
    }

    void give(GivenSeat seat, long now) {
      given = seat;
      givenAt = now;
      state = new SeatState.Inside(seat.inside(), seat.capacity(), seat.began());
      // by now it may be over: it checks in with the next ones
      beaten = now - SeatPace.BEAT.toNanos();
    }

    void doubt(SeatLoss why, long now) {
      loss = why;
      lossAt = now;
    }

    /// How it stands by the answer to a check-in, unless that is from before it was given its seat.
    SeatState by(SeatState answer, long sent) {
      boolean isOld =
          given != null
              && sent < givenAt
              && answer instanceof SeatState.Waiting waiting
              && waiting.version() < given.version();
      return isOld ? state : answer;
    }

    /// Whether nobody knows if it lost what it had before it was given its seat, or since.
    boolean isUnclear(SeatState answer, long sent) {
      return given != null
          && sent < givenAt
          && (answer instanceof SeatState.Outside || answer instanceof SeatState.Offered);
    }

    SeatLoss why() {
      return loss == null ? SeatLoss.EXPIRED : loss;
    }

    /// Whether news say what is known.
    boolean isAs(@Nullable SeatNews news) {
      return switch (state) {
        case SeatState.Inside _ -> news == SeatNews.INSIDE;
        case SeatState.Waiting _ -> news == SeatNews.WAITING;
        case SeatState.Offered _, SeatState.Outside _ -> false;
      };
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

  /// Who has to check in.
  ///
  /// @param took how long check-ins take
  Map<RoomId, List<AccountId>> due(Predicate<RoomId> some, long now, Duration took) {
    Map<RoomId, List<AccountId>> due = new LinkedHashMap<>();
    rooms.forEach(
        (room, standing) -> {
          if (some.test(room)) {
            due.put(room, due(standing, now, took));
          }
        });
    return due;
  }

  private static List<AccountId> due(Map<AccountId, Stand> standing, long now, Duration took) {
    return standing.entrySet().stream()
        .filter(
            each -> now - each.getValue().beaten >= SeatPace.rest(each.getValue(), took).toNanos())
        .map(Map.Entry::getKey)
        .toList();
  }

  List<SeatKey> find(Predicate<Stand> wanted) {
    List<SeatKey> found = new ArrayList<>();
    rooms.forEach(
        (room, standing) ->
            standing.forEach(
                (account, stand) -> {
                  if (wanted.test(stand)) {
                    found.add(new SeatKey(account, room));
                  }
                }));
    return found;
  }

  int size() {
    return count;
  }
}
