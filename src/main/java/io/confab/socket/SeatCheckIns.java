package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.seat.SeatCommand;
import io.confab.seat.SeatCommand.Beat;
import io.confab.seat.SeatCommand.Held;
import io.confab.seat.SeatState;
import io.confab.seat.SeatStates;
import io.confab.socket.SeatStands.Stand;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Checks in for accounts of one event loop, with what they have to claim. Belongs to its loop.
final class SeatCheckIns {
  /// A check-in counts for an eighth of what they take by now.
  private static final int SMOOTHING = 8;

  /// More makes no difference to the pace, but would last.
  private static final long MOST_TOOK = SeatPace.BEAT.dividedBy(SeatPace.SHARE).toNanos();

  private final Requests bus;
  private final LongSupplier nanoTime;
  private final SeatStands stands;
  private final Listener listener;

  /// What a check-in takes by now.
  private long took;

  /// Accounts of whom nothing was known here when it was asked how they stand.
  private final Map<AccountId, Map<RoomId, Look>> looks = new HashMap<>();

  /// By as many calls.
  private static final class Look {
    private int calls;
  }

  /// @param stand null: nothing was known
  /// @param look null: something was
  private record Asked(SeatKey key, @Nullable Stand stand, @Nullable Look look) {}

  interface Listener {
    /// @param sent when it checked in
    void confirmed(SeatKey key, SeatState state, long sent);

    /// Of two answers it is not known which is the newer one.
    void unclear(SeatKey key);
  }

  SeatCheckIns(Requests bus, LongSupplier nanoTime, SeatStands stands, Listener listener) {
    this.bus = bus;
    this.nanoTime = nanoTime;
    this.stands = stands;
    this.listener = listener;
  }

  /// After a failure the next tick tries again.
  Future<SeatStates> beat(RoomId room, List<AccountId> accounts) {
    long sent = nanoTime.getAsLong();
    List<Asked> all = new ArrayList<>();
    List<Held> held = new ArrayList<>();
    for (AccountId account : accounts) {
      SeatKey key = new SeatKey(account, room);
      Stand stand = stands.get(account, room);
      all.add(new Asked(key, stand, stand == null ? begin(key) : null));
      if (stand != null) {
        stand.beaten = sent;
        held(account, stand, sent, held);
      }
    }
    return bus.request(new Beat(room, accounts, held))
        .onSuccess(
            answer -> {
              took += (Math.min(nanoTime.getAsLong() - sent, MOST_TOOK) - took) / SMOOTHING;
              for (int i = 0; i < all.size(); i++) {
                answered(all.get(i), answer.states().get(i), sent);
              }
            })
        .onFailure(_ -> all.forEach(asked -> unanswered(asked, sent)));
  }

  /// By as many calls as it takes.
  ///
  /// @param failed is told those of a call that did
  void beatAll(RoomId room, List<AccountId> accounts, Consumer<List<AccountId>> failed) {
    for (int from = 0; from < accounts.size(); from += SeatCommand.MOST_BEATS) {
      int to = Math.min(accounts.size(), from + SeatCommand.MOST_BEATS);
      List<AccountId> part = accounts.subList(from, to);
      beat(room, part).onFailure(_ -> failed.accept(part));
    }
  }

  /// How long check-ins take by now, as far as that makes a difference.
  Duration took() {
    return Duration.ofNanos(took);
  }

  /// Whoever has a session again looks anew.
  void gone(AccountId account) {
    looks.remove(account);
  }

  private Look begin(SeatKey key) {
    Look look =
        looks
            .computeIfAbsent(key.account(), _ -> new HashMap<>())
            .computeIfAbsent(key.room(), _ -> new Look());
    look.calls++;
    return look;
  }

  /// What an account had is over: answers that are under way may be from before.
  ///
  /// @return whether there are such of one of whom nothing was known
  boolean ended(SeatKey key) {
    Map<RoomId, Look> its = looks.get(key.account());
    if (its == null || its.remove(key.room()) == null) {
      return false;
    }
    if (its.isEmpty()) {
      looks.remove(key.account());
    }
    return true;
  }

  private static void held(AccountId account, Stand stand, long now, List<Held> held) {
    Duration age = Duration.ofNanos(now - stand.confirmed);
    switch (stand.state) {
      case SeatState.Inside inside -> held.add(new Held(account, null, inside.began(), age));
      case SeatState.Waiting waiting -> held.add(new Held(account, waiting.place(), 0, age));
      case SeatState.Offered _, SeatState.Outside _ -> {} // nothing to claim
    }
  }

  private void answered(Asked asked, SeatState state, long sent) {
    boolean isOvertaken = isOvertaken(asked);
    forget(asked);
    SeatKey key = asked.key();
    Stand now = stands.get(key.account(), key.room());
    if (!isOvertaken && isSame(asked.stand(), now)) {
      listener.confirmed(key, state, sent);
    } else if (now != null && !now.state.getClass().equals(state.getClass())) {
      listener.unclear(key);
    }
  }

  /// An answer that was overtaken by the end of what it is about tells nothing.
  private boolean isOvertaken(Asked asked) {
    return asked.look() != null && !isUnderWay(asked.key(), asked.look());
  }

  @SuppressWarnings("ReferenceEquality")
  private boolean isUnderWay(SeatKey key, Look look) {
    return look == looks.getOrDefault(key.account(), Map.of()).get(key.room());
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(@Nullable Stand before, @Nullable Stand now) {
    return before == now;
  }

  private void unanswered(Asked asked, long sent) {
    forget(asked);
    Stand stand = asked.stand();
    if (stand != null && stand.beaten == sent) {
      stand.beaten = sent - SeatPace.BEAT.toNanos();
    }
  }

  private void forget(Asked asked) {
    Look look = asked.look();
    if (look != null && --look.calls == 0 && isUnderWay(asked.key(), look)) {
      ended(asked.key());
    }
  }
}
