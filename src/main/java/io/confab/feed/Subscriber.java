package io.confab.feed;

/// A follower of a room on one event loop.
public interface Subscriber {
  /// It is known now where the room stands; from here on [#event] is called.
  void ready();

  /// The next event of the room, or one that it has seen already.
  void event(Event event);

  /// It threw when it was given an event, and may not have taken it.
  default void missed() {}

  /// A signal of the room, also before [#ready]. It may come twice, late, or not at all.
  default void signal(RoomSignal signal) {}
}
