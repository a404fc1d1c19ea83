package io.confab.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import java.nio.charset.StandardCharsets;

/// The one codec of the bus: on the same node the object itself, to another node sealed.
final class EnvelopeCodec implements MessageCodec<Envelope, Envelope> {
  static final String NAME = "confab";

  private final RecordCodec records = new RecordCodec();
  private final BusSeal seal;

  EnvelopeCodec(BusSeal seal) {
    this.seal = seal;
  }

  @Override
  public void encodeToWire(Buffer buffer, Envelope envelope) {
    byte[] to = envelope.to().getBytes(StandardCharsets.UTF_8);
    Buffer plain = Buffer.buffer().appendInt(to.length).appendBytes(to);
    records.encode(plain, envelope.content());
    byte[] sealed = seal.seal(plain.getBytes());
    buffer.appendInt(sealed.length).appendBytes(sealed);
  }

  /// Throws [ForgedMessageException].
  @Override
  public Envelope decodeFromWire(int position, Buffer buffer) {
    int start = position + Integer.BYTES;
    long length = start > buffer.length() ? -1 : buffer.getInt(position);
    if (length < 0 || length > buffer.length() - start) {
      throw new ForgedMessageException("its length is untrue");
    }
    Buffer plain = Buffer.buffer(seal.open(buffer.getBytes(start, start + (int) length)));
    int end = Integer.BYTES + plain.getInt(0);
    return new Envelope(
        plain.getString(Integer.BYTES, end), records.decode(end, plain), BusSide.REMOTE);
  }

  @Override
  public Envelope transform(Envelope envelope) {
    return envelope;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public byte systemCodecID() {
    return -1;
  }
}
