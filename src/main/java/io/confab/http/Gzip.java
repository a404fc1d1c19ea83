package io.confab.http;

import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// Content as gzip (RFC 9110 §8.4.1.3), at the level that costs least.
final class Gzip implements AutoCloseable {
  static final String NAME = "gzip";

  /// What is smaller fits into a packet anyway.
  static final int LEAST_BYTES = 1_024;

  /// These cost up to two milliseconds (docs/performance.md).
  static final int MOST_BYTES_ON_A_LOOP = 64 << 10;

  private static final int BUFFER_BYTES = 8_192;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final GZIPOutputStream out;

  private static final class Fastest extends GZIPOutputStream {
    Fastest(ByteArrayOutputStream bytes) throws IOException {
      super(bytes, BUFFER_BYTES, true);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  private Gzip() {
    try {
      out = new Fastest(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // an array takes everything
    }
  }

  /// Whether a client takes gzip, and not rather the plain content (RFC 9110 §12.5.3).
  ///
  /// @param acceptEncoding the values of the header
  static boolean isAccepted(List<String> acceptEncoding) {
    OptionalDouble named = Accepted.weight(acceptEncoding, NAME);
    double weight = named.orElse(Accepted.weight(acceptEncoding, "*").orElse(0));
    return weight > 0 && weight >= Accepted.weight(acceptEncoding, "identity").orElse(0);
  }

  static Buffer of(Buffer content) {
    try (Gzip gzip = new Gzip()) {
      return gzip.add(content).appendBuffer(gzip.end());
    }
  }

  /// The same content, each piece of which can be read when it comes.
  static Flowable<Buffer> of(Flowable<Buffer> content) {
    return Flowable.using(
        Gzip::new,
        gzip -> content.map(gzip::add).concatWith(Flowable.fromCallable(gzip::end)),
        Gzip::close);
  }

  private Buffer add(Buffer piece) {
    try {
      out.write(piece.getBytes());
      out.flush();
      return taken();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Buffer end() {
    try {
      out.finish();
      return taken();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Buffer taken() {
    Buffer taken = Buffer.buffer(bytes.toByteArray());
    bytes.reset();
    return taken;
  }

  /// Gives back the memory of zlib, also of what was not ended.
  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
