package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.Role;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomSettings;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is decided about a room, before anything of it is written.
///
/// @param writes in this order
/// @param changes what the log of the room says of it, in this order; may be empty
record Decision(List<Write> writes, List<RoomChange> changes) {
  static final Decision NOTHING = new Decision(List.of(), List.of());

  /// What is written, besides the log of the room.
  sealed interface Write {
    /// A membership begins, in the role of a member.
    record Begin(AccountId member) implements Write {}

    /// A membership ends.
    record End(AccountId member) implements Write {}

    record GiveRole(AccountId member, Role role) implements Write {}

    /// Refused when that time is past.
    ///
    /// @param until milliseconds since 1970
    record Mute(AccountId member, long until) implements Write {}

    /// Refused when a channel has the name.
    record Change(RoomSettings settings) implements Write {}

    record Archive() implements Write {}

    /// An entry of the audit log.
    ///
    /// @param data what is of the action, as it stands on the wire
    record Note(AuditAction action, @Nullable AccountId account, @Nullable JsonObject data)
        implements Write {}
  }

  boolean isNothing() {
    return writes.isEmpty() && changes.isEmpty();
  }

  /// This, then the other.
  Decision and(Decision other) {
    return new Decision(joined(writes, other.writes), joined(changes, other.changes));
  }

  Decision noted(AuditAction action, @Nullable AccountId account, @Nullable JsonObject data) {
    return and(new Decision(List.of(new Write.Note(action, account, data)), List.of()));
  }

  private static <T> List<T> joined(List<T> some, List<T> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }
}
