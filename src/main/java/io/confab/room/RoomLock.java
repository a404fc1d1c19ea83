package io.confab.room;

import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.OfRoom;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/// Changes rooms: every change is decided and made in one transaction under the lock of the
/// room, so that no message gets a number after the event that ended its sender's right, and
/// announced after the commit.
final class RoomLock {
  private final AnnouncedTransactions transactions;
  private final RoomStores stores;

  RoomLock(AnnouncedTransactions transactions, RoomStores stores) {
    this.transactions = transactions;
    this.stores = stores;
  }

  /// Does what a command asks for, if the caller has the right to.
  <T> Future<T> change(OfRoom<?> command, Function<LockedRoom, Future<Outcome<T>>> work) {
    return change(command.caller(), command.room(), CommandRights.of(command), work);
  }

  <T> Future<T> change(
      AccountId caller,
      RoomId room,
      RoomRight right,
      Function<LockedRoom, Future<Outcome<T>>> work) {
    return lock(
        caller,
        room,
        locked -> {
          locked.facts().require(right);
          return work.apply(locked);
        });
  }

  /// Locks the room, then reads it in a statement of its own, which sees what was committed
  /// while the lock was waited for. Nobody's right is looked at.
  <T> Future<T> lock(AccountId caller, RoomId room, Function<LockedRoom, Future<Outcome<T>>> work) {
    return transactions.run(
        transaction ->
            stores
                .changes()
                .lock(transaction, room)
                .map(found -> found.orElseThrow(Refusal::noSuchRoom))
                .compose(
                    position ->
                        stores
                            .rooms()
                            .find(transaction, caller, room)
                            .map(Optional::orElseThrow)
                            .map(
                                seen ->
                                    new LockedRoom(
                                        transaction, new RoomFacts(position, seen, caller))))
                .compose(work));
  }
}
