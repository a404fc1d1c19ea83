package io.confab.room;

import io.confab.room.RoomCommand.MemberView;
import io.confab.room.RoomCommand.TransferRoom;
import io.vertx.core.Future;

/// Hands rooms over.
final class RoleChanges {
  private final RoomLock lock;
  private final RoomStores stores;
  private final RoomWrites writes;

  RoleChanges(RoomLock lock, RoomStores stores, RoomWrites writes) {
    this.lock = lock;
    this.stores = stores;
    this.writes = writes;
  }

  Future<MemberView> transfer(TransferRoom command) {
    return lock.change(
            command,
            locked ->
                stores
                    .members()
                    .require(locked, command.member())
                    .compose(
                        heir ->
                            writes.member(locked, heir, RoleRules.transfer(locked.facts(), heir))))
        .map(MemberView::new);
  }
}
