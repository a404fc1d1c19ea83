package io.confab.feed;

/// What nodes tell each other on the channel of a room.
sealed interface RoomPublication permits Event, RoomSignal, QueuedSend, RoomPublication.Unknown {
  /// From a node of a newer version.
  record Unknown() implements RoomPublication {}
}
