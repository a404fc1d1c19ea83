package io.confab.room;

import io.confab.protocol.EventFrames;
import io.confab.protocol.Room;
import io.confab.protocol.RoomChange.Archived;
import io.confab.protocol.RoomChange.Changed;
import io.confab.protocol.RoomSettings;
import io.confab.room.Decision.Write;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a change of settings comes to.
final class SettingRules {
  static final Decision ARCHIVED =
      new Decision(List.of(new Write.Archive()), List.of(new Archived()));

  private SettingRules() {}

  /// Changes what is not so already.
  static Decision change(Room room, RoomSettings asked) {
    RoomSettings settings = differing(room, asked);
    Changed changed = new Changed(settings);
    return settings.isEmpty()
        ? Decision.NOTHING
        : new Decision(List.of(new Write.Change(settings)), List.of(changed))
            .noted(AuditAction.ROOM_CHANGED, null, new JsonObject(EventFrames.data(changed)));
  }

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
}
