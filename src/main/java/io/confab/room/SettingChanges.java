package io.confab.room;

import io.confab.bus.Done;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Refusal;
import io.confab.protocol.Room;
import io.confab.protocol.RoomChange.Archived;
import io.confab.protocol.RoomChange.Changed;
import io.confab.protocol.RoomSettings;
import io.confab.room.RoomCommand.ArchiveRoom;
import io.confab.room.RoomCommand.ChangeRoom;
import io.confab.room.RoomCommand.RoomView;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Changes what a room is, and archives it.
final class SettingChanges {
  private final RoomLock lock;
  private final RoomStores stores;

  SettingChanges(RoomLock lock, RoomStores stores) {
    this.lock = lock;
    this.stores = stores;
  }

  Future<RoomView> change(ChangeRoom command) {
    return lock.change(
            command,
            locked -> {
              RoomSettings changed = differing(locked.room(), command.settings());
              return changed.isEmpty()
                  ? Future.succeededFuture(Outcome.quiet(locked.room()))
                  : store(locked, changed);
            })
        .map(RoomView::new);
  }

  private Future<Outcome<Room>> store(LockedRoom locked, RoomSettings changed) {
    Changed told = new Changed(changed);
    return stores
        .rooms()
        .update(locked, changed)
        .compose(
            stored -> {
              if (!stored) {
                throw new Refusal(ErrorCode.CONFLICT, "name", "a channel has this name");
              }
              JsonObject data = new JsonObject(EventFrames.data(told));
              return stores.audit().add(locked, AuditAction.ROOM_CHANGED, null, data);
            })
        .compose(_ -> stores.changes().append(locked, List.of(told)))
        .compose(changes -> stores.rooms().seenAfter(locked, changes));
  }

  /// Without what is so already.
  private static RoomSettings differing(Room room, RoomSettings asked) {
    return new RoomSettings(
        differing(room.name(), asked.name()),
        differing(Objects.requireNonNullElse(room.description(), ""), asked.description()),
        differing(room.history(), asked.history()),
        differing(Objects.requireNonNullElse(room.slowModeS(), 0), asked.slowModeS()),
        differing(Objects.requireNonNullElse(room.maxMembers(), 0L), asked.maxMembers()));
  }

  private static <T> @Nullable T differing(@Nullable T now, @Nullable T asked) {
    return Objects.equals(now, asked) ? null : asked;
  }

  Future<Done> archive(ArchiveRoom command) {
    return lock.change(
        command,
        locked ->
            stores
                .rooms()
                .archive(locked.transaction(), locked.id())
                .compose(_ -> stores.audit().add(locked, AuditAction.ROOM_ARCHIVED, null))
                .compose(_ -> stores.changes().append(locked, List.of(new Archived())))
                .map(changes -> NumberedChange.outcome(Done.DONE, changes)));
  }
}
