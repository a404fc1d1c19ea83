package io.confab.room;

import io.confab.bus.Done;
import io.confab.room.RoomCommand.ArchiveRoom;
import io.confab.room.RoomCommand.ChangeRoom;
import io.confab.room.RoomCommand.RoomView;
import io.vertx.core.Future;

/// Changes what a room is, and archives it.
final class SettingChanges {
  private final RoomLock lock;
  private final RoomWrites writes;

  SettingChanges(RoomLock lock, RoomWrites writes) {
    this.lock = lock;
    this.writes = writes;
  }

  Future<RoomView> change(ChangeRoom command) {
    return lock.change(
            command,
            locked -> writes.room(locked, SettingRules.change(locked.room(), command.settings())))
        .map(RoomView::new);
  }

  Future<Done> archive(ArchiveRoom command) {
    return lock.change(
        command,
        locked ->
            writes.done(
                locked, SettingRules.ARCHIVED.noted(AuditAction.ROOM_ARCHIVED, null, null)));
  }
}
