package io.confab.bus;

import io.vertx.core.eventbus.Message;

/// A message of the bus and where it goes, so that nobody can deliver it elsewhere.
///
/// @param to an address of Vert.x' event bus
/// @param from is not on the wire: what was decoded came from another node, whatever it says
record Envelope(String to, BusMessage content, BusSide from) {
  /// One that begins here.
  Envelope(String to, BusMessage content) {
    this(to, content, BusSide.LOCAL);
  }

  /// That of a message. Throws [ForgedMessageException].
  static Envelope of(Message<?> message) {
    if (message.body() instanceof Envelope envelope && envelope.to().equals(message.address())) {
      return envelope;
    }
    throw new ForgedMessageException("it was not sent to " + message.address());
  }
}
