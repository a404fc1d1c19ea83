package io.confab.client;

import io.confab.protocol.RoomId;

/// What a [ConfabClient#watch] tells: how things stand when it begins, and what becomes of them.
public sealed interface PresenceSignal {
  /// The watch begins, or begins anew after a lost connection: of the members of rooms those follow
  /// who are there, so whoever was told of before and is not among them has gone.
  record Began() implements PresenceSignal {}

  /// Somebody who is watched, or a member of a small room that is, is this now.
  record Person(Presence presence) implements PresenceSignal {}

  /// So many of the members of a room that is watched are there.
  record Count(RoomId roomId, long online) implements PresenceSignal {}
}
