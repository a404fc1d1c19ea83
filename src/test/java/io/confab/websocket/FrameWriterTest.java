package io.confab.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameWriterTest {
  private final ByteBufAllocator allocator = new UnpooledByteBufAllocator(false);

  /// The headers are those of RFC 6455 §5.2.
  @ParameterizedTest
  @CsvSource({
    "0,8100",
    "1,8101",
    "125,817d",
    "126,817e007e",
    "65535,817effff",
    "65536,817f0000000000010000"
  })
  void theHeaderTellsTheLengthInItsShortestForm(int length, String header) {
    byte[] text = new byte[length];
    Arrays.fill(text, (byte) 'x');
    ByteBuf frame = FrameWriter.text(text, allocator);
    assertThat(ByteBufUtil.hexDump(frame, 0, header.length() / 2)).isEqualTo(header);
    assertThat(ByteBufUtil.getBytes(frame.skipBytes(header.length() / 2))).isEqualTo(text);
    assertThat(frame.refCnt()).isEqualTo(1);
    frame.release();
  }

  @ParameterizedTest
  @CsvSource({"0,0", "3,4", "64,62", "40000,40000"})
  void aTextInTwoPartsIsOne(int head, int tail) {
    byte[] text = new byte[head + tail];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) ('a' + i % 26);
    }
    ByteBuf whole = FrameWriter.text(text, allocator);
    ByteBuf parts =
        FrameWriter.text(
            Arrays.copyOf(text, head), Arrays.copyOfRange(text, head, text.length), allocator);
    assertThat(ByteBufUtil.getBytes(parts)).isEqualTo(ByteBufUtil.getBytes(whole));
    whole.release();
    parts.release();
  }
}
