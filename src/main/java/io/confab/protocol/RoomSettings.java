package io.confab.protocol;

import org.jspecify.annotations.Nullable;

/// What of a room its admins set; in a change, what is absent stays as it is.
///
/// @param description empty to have none
/// @param slowModeS seconds between two messages of a member; 0 for none
/// @param maxMembers 0 for as many as like
public record RoomSettings(
    @Nullable String name,
    @Nullable String description,
    @Nullable HistoryRule history,
    @Nullable Integer slowModeS,
    @Nullable Long maxMembers) {
  /// Of a room with a name and all else as it comes.
  public static RoomSettings named(@Nullable String name) {
    return new RoomSettings(name, null, null, null, null);
  }

  public boolean isEmpty() {
    return name == null
        && description == null
        && history == null
        && slowModeS == null
        && maxMembers == null;
  }
}
