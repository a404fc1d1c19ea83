package io.confab.websocket;

import static io.confab.websocket.Frames.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.protocol.CloseCode;
import io.confab.websocket.Incoming.Part;
import io.confab.websocket.Incoming.Ping;
import io.confab.websocket.Incoming.Pong;
import io.confab.websocket.Incoming.Text;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageReaderTest {
  private static final int MOST = 1_000;

  private final MessageReader reader = new MessageReader(MOST);

  private List<Incoming> read(ByteBuf... frames) {
    ByteBuf in = Unpooled.wrappedBuffer(frames);
    List<Incoming> all = new ArrayList<>();
    for (Incoming one; (one = reader.read(in)) != null; ) {
      all.add(one);
    }
    return all;
  }

  private void assertFault(CloseCode code, ByteBuf... frames) {
    assertThatThrownBy(() -> read(frames))
        .isInstanceOfSatisfying(WireFault.class, fault -> assertThat(fault.code()).isEqualTo(code));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] hex(String bytes) {
    return HexFormat.of().parseHex(bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 125, 126, 999, 1_000})
  void textOfAnyLengthUpToTheLimitIsRead(int length) {
    String text = "x".repeat(length);
    assertThat(read(Frames.text(text), Frames.text("next")))
        .containsExactly(new Text(text), new Text("next"));
  }

  @Test
  void aFrameThatComesByteByByteIsReadOnce() {
    ByteBuf whole =
        Unpooled.wrappedBuffer(Frames.text("Grüße, 👋"), Frames.frame(LAST | FrameHeader.PONG));
    ByteBuf in = Unpooled.buffer();
    List<Incoming> all = new ArrayList<>();
    while (whole.isReadable()) {
      in.writeByte(whole.readByte());
      Incoming one = reader.read(in);
      if (one != null) {
        all.add(one);
      }
    }
    assertThat(all).containsExactly(new Text("Grüße, 👋"), new Pong());
  }

  @Test
  void aMessageMayComeInFramesWithPingsBetweenThem() {
    byte[] text = utf8("a👋ß");
    List<ByteBuf> frames = new ArrayList<>();
    for (int i = 0; i < text.length; i++) {
      int opcode = i == 0 ? FrameHeader.TEXT : FrameHeader.CONTINUATION;
      frames.add(Frames.frame(opcode, text[i]));
      frames.add(Frames.frame(LAST | FrameHeader.PING, (byte) i));
    }
    frames.add(Frames.frame(LAST | FrameHeader.CONTINUATION));
    List<Incoming> all = read(frames.toArray(ByteBuf[]::new));
    assertThat(all).hasSize(2 * text.length + 1).endsWith(new Text("a👋ß"));
    assertThat(all).filteredOn(Part.class::isInstance).hasSize(text.length);
    assertThat(all).filteredOn(Ping.class::isInstance).hasSize(text.length);
    assertThat(read(Frames.text("b"))).containsExactly(new Text("b"));
  }

  @Test
  void whatIsTooLargeIsRefusedByItsHead() {
    ByteBuf large = Frames.frame(LAST | FrameHeader.TEXT, new byte[MOST + 1]);
    assertFault(CloseCode.TOO_LARGE, large.slice(0, 8));
    assertFault(
        CloseCode.TOO_LARGE, Frames.bytes(0x81, 0xff, 0, 0, 0, 0, 0x7f, 0, 0, 0, 1, 2, 3, 4));
  }

  @Test
  void theLimitIsThatOfTheMessageHoweverManyFramesItHas() {
    read(Frames.frame(FrameHeader.TEXT, new byte[MOST - 1]));
    read(Frames.frame(FrameHeader.CONTINUATION, new byte[1]));
    assertFault(CloseCode.TOO_LARGE, Frames.frame(FrameHeader.CONTINUATION, new byte[1]));
  }

  @Test
  void theLimitCanBeRaised() {
    reader.limit(70_000);
    assertThat(read(Frames.text("x".repeat(70_000)))).hasSize(1);
    assertFault(CloseCode.TOO_LARGE, Frames.text("x".repeat(70_001)));
  }

  /// First byte, then the second.
  @ParameterizedTest
  @CsvSource({
    "c1,80,a reserved bit",
    "a1,80,a reserved bit",
    "91,80,a reserved bit",
    "83,80,reserved data opcode",
    "87,80,reserved data opcode",
    "8b,80,reserved control opcode",
    "8f,80,reserved control opcode",
    "81,00,not masked",
    "89,00,ping not masked",
    "09,80,fragmented ping",
    "08,80,fragmented close",
    "89,fe,long ping",
    "88,ff,long close",
    "80,80,continuation of nothing",
    "00,80,continuation of nothing",
    "88,81,close of one byte"
  })
  void whatBreaksTheProtocolIsAFault(String first, String second, String what) {
    ByteBuf frame = Unpooled.buffer().writeBytes(hex(first + second)).writeZero(13);
    assertThatThrownBy(() -> read(frame))
        .as(what)
        .isInstanceOfSatisfying(
            WireFault.class, fault -> assertThat(fault.code()).isEqualTo(CloseCode.MALFORMED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"81fe007d", "81ff000000000000ffff", "81ff8000000000000000"})
  void aLengthHasOneForm(String head) {
    assertFault(CloseCode.MALFORMED, Unpooled.buffer().writeBytes(hex(head)).writeZero(4));
  }

  @Test
  void aMessageDoesNotBeginWithinAnother() {
    read(Frames.frame(FrameHeader.TEXT, utf8("a")));
    assertFault(CloseCode.MALFORMED, Frames.text("b"));
  }

  @Test
  void bytesAreReadAsTheyAre() {
    byte[] bytes = hex("00ff80c0");
    List<Incoming> all =
        read(
            Frames.frame(LAST | FrameHeader.BINARY, bytes),
            Frames.frame(FrameHeader.BINARY, hex("00ff")),
            Frames.frame(LAST | FrameHeader.CONTINUATION, hex("80c0")));
    assertThat(all)
        .filteredOn(Incoming.Binary.class::isInstance)
        .hasSize(2)
        .allSatisfy(one -> assertThat(((Incoming.Binary) one).payload()).isEqualTo(bytes));
    read(Frames.frame(FrameHeader.BINARY, new byte[MOST]));
    assertFault(CloseCode.TOO_LARGE, Frames.frame(LAST | FrameHeader.CONTINUATION, new byte[1]));
  }

  /// Lone and swapped continuation bytes, overlong forms, surrogates, beyond U+10FFFF, cut off.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "80",
        "ff",
        "c0af",
        "e080af",
        "f08080af",
        "eda080",
        "edbfbf",
        "f4908080",
        "fe",
        "c3",
        "e282",
        "f09f91",
        "61c3",
        "c328"
      })
  void textMustBeUtf8(String bytes) {
    assertFault(CloseCode.NOT_UTF_8, Frames.frame(LAST | FrameHeader.TEXT, hex(bytes)));
    MessageReader other = new MessageReader(MOST);
    byte[] broken = hex(bytes);
    ByteBuf fragments =
        Unpooled.wrappedBuffer(
            Frames.frame(FrameHeader.TEXT, utf8("ok ")),
            Frames.frame(LAST | FrameHeader.CONTINUATION, broken));
    other.read(fragments);
    assertThatThrownBy(() -> other.read(fragments)).isInstanceOf(WireFault.class);
  }

  @Test
  void badTextIsRefusedBeforeItsMessageIsWhole() {
    assertFault(CloseCode.NOT_UTF_8, Frames.frame(FrameHeader.TEXT, hex("61ff")));
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 1003, 1007, 1009, 1014, 3000, 3999, 4000, 4999})
  void aCloseMayHaveThisCode(int code) {
    assertThat(read(close(code, "bye"))).hasSize(1).allMatch(Incoming.Close.class::isInstance);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65535})
  void aCloseMayNotHaveThisCode(int code) {
    assertFault(CloseCode.MALFORMED, close(code, "bye"));
  }

  @Test
  void theReasonOfACloseMustBeUtf8() {
    assertFault(CloseCode.NOT_UTF_8, Frames.frame(LAST | FrameHeader.CLOSE, hex("03e8ff")));
    assertThat(read(Frames.frame(LAST | FrameHeader.CLOSE))).hasSize(1);
  }

  private static ByteBuf close(int code, String reason) {
    return Frames.frame(LAST | FrameHeader.CLOSE, FrameWriter.closing(code, reason));
  }

  @Test
  void framesThatNeverEndTakeNoMemory() {
    read(Frames.frame(FrameHeader.TEXT));
    ByteBuf empty = Frames.frame(FrameHeader.CONTINUATION);
    for (int i = 0; i < 100_000; i++) {
      assertThat(reader.read(empty.duplicate())).isEqualTo(new Part());
    }
  }
}
