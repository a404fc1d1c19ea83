package io.confab.client;

import io.confab.protocol.RoomId;

/// What a [ConfabClient#watch] tells: how things stand when it begins, and what becomes of them.
public sealed interface PresenceSignal {
  /// Somebody who is watched, or a member of a small room that is, is this now.
  record Person(Presence presence) implements PresenceSignal {}

  /// So many of the members of a room that is watched are there.
  record Count(RoomId roomId, long online) implements PresenceSignal {}
}
