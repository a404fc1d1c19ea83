package io.confab.client.sealed;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// How transactions lie in the file of a [SealedStore]: after a head of eight bytes one frame a
/// transaction, which is the length of what follows, its CRC-32C, and for each changed key its
/// length, the key, the length of the value or -1 where the key goes, the value.
final class LogFormat {
  static final byte[] HEAD = "CONFABS1".getBytes(StandardCharsets.US_ASCII);
  static final int FRAME_HEAD = 8;
  static final int MAX_FRAME = 64 << 20;

  private static final int GONE = -1;

  private LogFormat() {}

  static ByteBuffer frame(NavigableMap<String, Optional<byte[]>> changes) {
    int length =
        changes.entrySet().stream()
            .mapToInt(
                change ->
                    length(change.getKey(), change.getValue().map(value -> value.length).orElse(0)))
            .reduce(0, Math::addExact);
    if (length > MAX_FRAME) {
      throw new IllegalArgumentException("a transaction of " + length + " bytes");
    }
    ByteBuffer frame = ByteBuffer.allocate(FRAME_HEAD + length).putInt(length).putInt(0);
    changes.forEach(
        (key, value) -> {
          byte[] name = key.getBytes(StandardCharsets.UTF_8);
          frame.putInt(name.length).put(name).putInt(value.map(v -> v.length).orElse(GONE));
          value.ifPresent(frame::put);
        });
    frame.flip();
    return frame.putInt(Integer.BYTES, checksum(frame));
  }

  /// The checksum of a whole frame: of its length and of what it holds.
  static int checksum(ByteBuffer frame) {
    CRC32C checksum = new CRC32C();
    checksum.update(frame.duplicate().position(0).limit(Integer.BYTES));
    checksum.update(frame.duplicate().position(FRAME_HEAD));
    return (int) checksum.getValue();
  }

  /// Where the values of a frame lie in the file, or none where the key goes.
  ///
  /// @param start of the frame in the file
  static Map<String, Optional<Slot>> slots(ByteBuffer frame, long start) {
    Map<String, Optional<Slot>> slots = new TreeMap<>();
    ByteBuffer rest = frame.duplicate().position(FRAME_HEAD);
    while (rest.hasRemaining()) {
      byte[] name = new byte[rest.getInt()];
      rest.get(name);
      int length = rest.getInt();
      String key = new String(name, StandardCharsets.UTF_8);
      if (length == GONE) {
        slots.put(key, Optional.empty());
      } else {
        slots.put(key, Optional.of(new Slot(start + rest.position(), length)));
        rest.position(rest.position() + length);
      }
    }
    return slots;
  }

  /// What a key and a value of this length take.
  static int length(String key, int valueLength) {
    return Math.addExact(
        2 * Integer.BYTES + key.getBytes(StandardCharsets.UTF_8).length, valueLength);
  }
}
