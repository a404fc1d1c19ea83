package io.confab.feed;

/// Who follows a room on one event loop.
public interface Subscriber {
  /// It is known now where the room stands; from here on [#event] is called.
  void ready();

  /// The next event of the room. It may be told again what it has seen already.
  void event(Event event);
}
