package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WebSocketFramingTest {
  private final Heard heard = new Heard();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new Line(0, new WebSocketFraming("/", ""), new Tokens(), heard));

  /// Tells the ears of every text.
  private static final class Tokens implements Speech {
    @Override
    public void opened(Line line) {
      line.ears().live(line);
    }

    @Override
    public void heard(ByteBuf in, int at, int length, Line line) {
      line.ears().received(line, Token.find(in, at, length));
    }

    @Override
    public byte[] message(int room, String token) {
      return token.getBytes(StandardCharsets.UTF_8);
    }
  }

  @BeforeEach
  void upgrade() {
    channel.readOutbound(); // the request
    comes(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"
            .getBytes(StandardCharsets.UTF_8));
  }

  private void comes(byte[] bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes));
  }

  private static byte[] text(int token, int length) {
    String text = Token.text(token) + "x".repeat(length - Token.text(token).length());
    ByteBuf frame = Unpooled.buffer().writeByte(0x81);
    if (length < 126) {
      frame.writeByte(length);
    } else {
      frame.writeByte(126).writeShort(length);
    }
    return ByteBufUtil.getBytes(frame.writeBytes(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void framesThatComeTogetherAndInPiecesAreRead() {
    byte[] both = ByteBufUtil.getBytes(Unpooled.wrappedBuffer(text(1, 20), text(2, 300)));

    for (byte one : both) {
      comes(new byte[] {one});
    }
    comes(both);

    assertThat(heard.all())
        .containsExactly("live", "received 1", "received 2", "received 1", "received 2");
  }

  @Test
  void aPingIsAnsweredWithWhatItHeld() {
    comes(new byte[] {(byte) 0x89, 2, 'h', 'i'});
    channel.flushOutbound();

    ByteBuf pong = channel.readOutbound();
    assertThat(ByteBufUtil.getBytes(pong)).containsExactly(0x8A, 0x82, 0, 0, 0, 0, 'h', 'i');
  }

  @Test
  void aCloseIsAFailure() {
    comes(new byte[] {(byte) 0x88, 2, 0x0F, (byte) 0xA1});

    assertThat(heard.all()).containsExactly("live", "failed close 4001");
  }
}
