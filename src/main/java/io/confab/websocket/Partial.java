package io.confab.websocket;

/// What has come of a message that comes in several frames. The caller bounds its size.
interface Partial {

  /// How many have been added.
  int bytes();

  /// Throws [WireFault] for what such a message cannot hold.
  void add(byte[] payload, boolean last);

  /// The message, once the last part was added.
  Incoming whole();
}
