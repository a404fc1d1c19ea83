package io.confab.websocket;

import java.io.ByteArrayOutputStream;

/// The bytes of a message that comes in several frames.
final class PartialBinary implements Partial {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Override
  public int bytes() {
    return bytes.size();
  }

  @Override
  public void add(byte[] payload, boolean last) {
    bytes.writeBytes(payload);
  }

  @Override
  public Incoming whole() {
    return new Incoming.Binary(bytes.toByteArray());
  }
}
