package io.confab.bus;

import io.vertx.core.eventbus.Message;

/// A message of the bus and where it goes, so that nobody can deliver it elsewhere.
///
/// @param to an address of Vert.x' event bus
record Envelope(String to, BusMessage content) {
  /// What a message carries. Throws [ForgedMessageException].
  static BusMessage contentOf(Message<?> message) {
    if (message.body() instanceof Envelope envelope && envelope.to().equals(message.address())) {
      return envelope.content();
    }
    throw new ForgedMessageException("it was not sent to " + message.address());
  }
}
