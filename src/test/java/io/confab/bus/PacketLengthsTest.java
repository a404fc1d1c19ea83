package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketLengthsTest {
  private static final int MOST = 20;

  private final PacketLengths lengths = new PacketLengths(MOST);

  private static ByteBuffer packets(int... sizes) {
    ByteBuffer bytes = ByteBuffer.allocate(1_000);
    for (int size : sizes) {
      bytes.put((byte) 4).putChar('\0').putInt(-1).putInt(size);
      for (int i = 0; i < Math.clamp(size, 0, MOST); i++) {
        bytes.put((byte) 0x7f);
      }
    }
    return bytes.flip();
  }

  /// Hands over so many bytes at a time, and again those of a head that was not complete.
  private void checkInParts(ByteBuffer all, int part) {
    ByteBuffer src = ByteBuffer.allocate(1_000);
    while (all.hasRemaining()) {
      for (int i = 0; i < part && all.hasRemaining(); i++) {
        src.put(all.get());
      }
      src.flip();
      lengths.check(src);
      src.compact();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 11, 12, 30, 1_000})
  void packetsWithinTheBoundPassInAnyParts(int part) {
    checkInParts(packets(0, MOST, 0, 0, 1, MOST, 3), part);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 11, 12, 30, 1_000})
  void aLaterPacketBeyondItIsRefused(int part) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> checkInParts(packets(MOST, 0, MOST + 1), part));
  }

  @Test
  void aNegativeLengthIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> checkInParts(packets(-1), 1_000));
  }
}
