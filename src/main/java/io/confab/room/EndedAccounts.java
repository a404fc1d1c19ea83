package io.confab.room;

import io.confab.account.AccountLifecycle;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;

/// Ends the memberships of removed accounts, one room after the other. May be asked again, and goes
/// on where it was interrupted.
final class EndedAccounts implements AccountLifecycle.Memberships {
  private final RoomStore rooms;
  private final RoomChanges changes;

  EndedAccounts(RoomStore rooms, RoomChanges changes) {
    this.rooms = rooms;
    this.changes = changes;
  }

  @Override
  public Future<Void> end(AccountId account) {
    return rooms
        .anyOf(account)
        .compose(
            room ->
                room.isEmpty()
                    ? Future.succeededFuture()
                    : changes
                        .make(RoomCalls.takeOut(account, room.get()))
                        .compose(_ -> end(account)));
  }
}
