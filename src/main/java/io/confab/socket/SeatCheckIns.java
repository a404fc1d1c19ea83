package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.seat.SeatCommand.Beat;
import io.confab.seat.SeatCommand.Held;
import io.confab.seat.SeatState;
import io.confab.seat.SeatStates;
import io.confab.socket.SeatStands.Stand;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Checks in for accounts of one event loop, with what they have to claim. Belongs to its loop.
final class SeatCheckIns {
  private final Requests bus;
  private final LongSupplier nanoTime;
  private final SeatStands stands;
  private final Listener listener;

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
    List<@Nullable Stand> before = new ArrayList<>();
    List<Held> held = new ArrayList<>();
    for (AccountId account : accounts) {
      Stand stand = stands.get(account, room);
      before.add(stand);
      if (stand != null) {
        stand.beaten = sent;
        held(account, stand, sent, held);
      }
    }
    return bus.request(new Beat(room, accounts, held))
        .onSuccess(
            answer -> {
              for (int i = 0; i < accounts.size(); i++) {
                SeatKey key = new SeatKey(accounts.get(i), room);
                answered(key, answer.states().get(i), before.get(i), sent);
              }
            })
        .onFailure(_ -> before.forEach(stand -> unbeaten(stand, sent)));
  }

  private static void held(AccountId account, Stand stand, long now, List<Held> held) {
    Duration age = Duration.ofNanos(now - stand.confirmed);
    switch (stand.state) {
      case SeatState.Inside inside -> held.add(new Held(account, null, inside.began(), age));
      case SeatState.Waiting waiting -> held.add(new Held(account, waiting.place(), 0, age));
      case SeatState.Offered _, SeatState.Outside _ -> {} // nothing to claim
    }
  }

  private void answered(SeatKey key, SeatState state, @Nullable Stand before, long sent) {
    Stand now = stands.get(key.account(), key.room());
    if (isSame(before, now)) {
      listener.confirmed(key, state, sent);
    } else if (now != null && !now.state.getClass().equals(state.getClass())) {
      listener.unclear(key);
    }
  }

  /// An answer that was overtaken by the end of what it is about tells nothing.
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(@Nullable Stand before, @Nullable Stand now) {
    return before == now;
  }

  private static void unbeaten(@Nullable Stand stand, long sent) {
    if (stand != null && stand.beaten == sent) {
      stand.beaten = sent - SeatPace.BEAT.toNanos();
    }
  }
}
