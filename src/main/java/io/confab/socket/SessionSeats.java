package io.confab.socket;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How the account of one session stands in its rooms with a capacity. Belongs to one event loop.
final class SessionSeats {
  private final AccountId account;
  private final LoopSeats seats;
  private final Outbound out;
  private boolean opened;

  /// Rooms in which it was looked what the account has.
  private final Set<RoomId> takenUp = new LazySet<>();

  SessionSeats(AccountId account, LoopSeats seats, Outbound out) {
    this.account = account;
    this.seats = seats;
    this.out = out;
  }

  /// From now on news may be sent. What the account has in these rooms is taken up, of each once.
  void open(Collection<RoomId> rooms) {
    opened = true;
    rooms.stream()
        .filter(takenUp::add)
        .forEach(room -> seats.resumed(account, room).ifPresent(out::send));
  }

  /// Signals may have been missed.
  void missed() {
    takenUp.forEach(room -> seats.missed(account, room));
  }

  void tell(@Nullable ServerFrame news) {
    if (news != null && opened) {
      out.send(news);
    }
  }

  /// Whether the account is known to have a seat in the room.
  boolean isInside(RoomId room) {
    return seats.isKnownInside(account, room);
  }

  void forget(RoomId room) {
    takenUp.remove(room);
  }

  /// The account is no member any more.
  void ended(RoomId room) {
    forget(room);
    seats.ended(account, room);
  }
}
