package io.confab.seat;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Seats in rooms with a capacity, and places in the lines before them.
///
/// All are refused with `unavailable` while it is not known whether Redis still has what it had.
/// Who is found inside by [Enter] with a session, or by [Beat], is so for [#LEASE] from the moment
/// at which the command was sent; by [Find] and by [Enter] without a session, at that moment.
public sealed interface SeatCommand<R extends BusMessage> extends Command<R> {
  Address<SeatCommand<?>> ADDRESS = new Address<>("seats", NodeRole.PRESENCE);

  /// For how long a node goes on with what was confirmed, and cannot be now.
  Duration LEASE = Duration.ofSeconds(10);

  /// For how long what one may do who was inside may wait to be done. A check-in that is usual must
  /// leave enough for it: see [#ENOUGH].
  Duration WRITE = Duration.ofSeconds(1);

  /// For how long a seat has to last at least for that: for the wait, and for the longest call of
  /// the database that follows, which is `postgres.statement_timeout` unless that was raised.
  Duration ENOUGH = WRITE.plusSeconds(5);

  /// Accounts of one [Beat].
  int MOST_BEATS = 500;

  @Override
  default Address<SeatCommand<?>> address() {
    return ADDRESS;
  }

  RoomId room();

  @Override
  default Lane lane() {
    return Lane.of(room());
  }

  /// Enters or joins the line; checks in; takes up what was offered. Refused as reads are for who
  /// may not read the room, with `conflict` if it is archived, and with `invalid_field` if it has
  /// no capacity.
  ///
  /// @param session whether it comes from a session, whose node goes on with [Beat]
  /// @param place what [SeatState.Waiting] carried; refused if it is not this account's
  record Enter(RoomId room, AccountId account, boolean session, @Nullable String place)
      implements SeatCommand<SeatState> {}

  /// Gives up a seat, a place or an offer. Whoever has none is answered the same.
  record Exit(RoomId room, AccountId account) implements SeatCommand<Done> {}

  /// Sessions of a node check in: they keep what they have and take up what is offered. Nobody
  /// enters by it. Answers how each of them stands.
  ///
  /// @param accounts one at least, [#MOST_BEATS] at most, once each
  /// @param held what the node knows them to have, for Redis may have lost it
  record Beat(RoomId room, List<AccountId> accounts, List<Held> held)
      implements SeatCommand<SeatStates> {
    public Beat {
      Command.requireSome(accounts);
      if (accounts.size() > MOST_BEATS) {
        throw new IllegalArgumentException("too many accounts in one beat");
      }
    }
  }

  /// What a node knows an account to have, so that it can be claimed when Redis has lost it: also
  /// when that was too long ago to honour it.
  ///
  /// @param place what [SeatState.Waiting] carried last; null: a seat
  /// @param began of a seat, what [SeatState.Inside] carried; a place says it itself
  /// @param age since the command was sent by which it was confirmed last
  record Held(AccountId account, @Nullable String place, long began, Duration age) {
    /// The same so much later.
    Held after(Duration waited) {
      return new Held(account, place, began, age.plus(waited));
    }
  }

  /// The node's last session of the account is gone: it keeps what it has for the grace.
  record Disconnected(RoomId room, AccountId account) implements SeatCommand<Done> {}

  /// How the account stands. It does not check in by that. Outside, too, where the room has no
  /// capacity.
  record Find(RoomId room, AccountId account) implements SeatCommand<SeatState> {}

  /// In which of these rooms the account is inside as Redis has it, whether or not that is known to
  /// be good still: for what is shown in passing, never for what one may do. Rooms of which nobody
  /// can say are left out.
  ///
  /// @param rooms one at least
  record FindInside(AccountId account, List<RoomId> rooms) implements SeatCommand<InsideOf> {
    public FindInside {
      Command.requireSome(rooms);
    }

    @Override
    public RoomId room() {
      return rooms.getFirst();
    }
  }

  record InsideOf(List<RoomId> rooms) implements BusMessage {}

  /// What a member may know of the seats of the room; refused as [Enter].
  record Look(RoomId room, AccountId viewer) implements SeatCommand<Seats> {}

  /// Puts a member at the head of the line. One who is inside, or was made an offer, stays so.
  record LetIn(RoomId room, AccountId actor, AccountId account) implements SeatCommand<SeatState> {}

  /// Takes seat, place or offer from an account. Whoever has none is answered `not_found`.
  record Remove(RoomId room, AccountId actor, AccountId account) implements SeatCommand<Done> {}

  /// The capacity of the room may be another one, or memberships of it ended: it is read anew.
  ///
  /// @param gone are no members any more
  record Refresh(RoomId room, List<AccountId> gone) implements SeatCommand<Done> {}
}
