package io.confab.redis;

import java.util.function.Consumer;

/// Messages of a subscriber to itself, which go out by other connections.
///
/// @param channel that nobody else uses; also such channels as begin with it
/// @param publish says something on a channel
record Beats(String channel, Consumer<String> publish) {
  Beats on(String other) {
    return new Beats(other, publish);
  }

  void send() {
    publish.accept(channel);
  }
}
