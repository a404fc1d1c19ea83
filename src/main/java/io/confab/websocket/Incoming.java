package io.confab.websocket;

/// What a client can say on the wire.
public sealed interface Incoming {

  /// A whole text message.
  record Text(String text) implements Incoming {}

  /// A whole binary message.
  record Binary(byte[] payload) implements Incoming {}

  /// A part of a message of which more is to come.
  record Part() implements Incoming {}

  record Ping(byte[] payload) implements Incoming {}

  record Pong() implements Incoming {}

  /// @param payload as it came, valid
  record Close(byte[] payload) implements Incoming {}
}
