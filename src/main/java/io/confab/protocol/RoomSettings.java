package io.confab.protocol;

import org.jspecify.annotations.Nullable;

/// The settings of a room; in a change, an absent setting stays as it is.
///
/// @param description empty to have none
/// @param slowModeS seconds between two messages of a member; 0 for none
/// @param maxMembers 0 for as many as like
/// @param capacity how many may be inside at once; 0 for no inside
/// @param readOutside whether others may read where there is a capacity
/// @param suite seals the room, for ever
/// @param expiresInS for how many seconds what is said in a sealed room lasts; 0 for as long as
///     anything
public record RoomSettings(
    @Nullable String name,
    @Nullable String description,
    @Nullable HistoryRule history,
    @Nullable Integer slowModeS,
    @Nullable Long maxMembers,
    @Nullable Integer capacity,
    @Nullable Boolean readOutside,
    @Nullable String suite,
    @Nullable Integer expiresInS) {

  /// Of a room that is not sealed by this.
  public RoomSettings(
      @Nullable String name,
      @Nullable String description,
      @Nullable HistoryRule history,
      @Nullable Integer slowModeS,
      @Nullable Long maxMembers,
      @Nullable Integer capacity,
      @Nullable Boolean readOutside) {
    this(name, description, history, slowModeS, maxMembers, capacity, readOutside, null, null);
  }

  public RoomSettings sealing(@Nullable String with, @Nullable Integer expiring) {
    return new RoomSettings(
        name, description, history, slowModeS, maxMembers, capacity, readOutside, with, expiring);
  }

  /// A name, and defaults for the rest.
  public static RoomSettings named(@Nullable String name) {
    return new RoomSettings(name, null, null, null, null, null, null);
  }

  public boolean isEmpty() {
    return name == null
        && description == null
        && history == null
        && slowModeS == null
        && maxMembers == null
        && capacity == null
        && readOutside == null
        && suite == null
        && expiresInS == null;
  }
}
