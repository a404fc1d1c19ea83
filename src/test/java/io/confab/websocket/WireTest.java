package io.confab.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WireTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> seen = new ArrayList<>();
  private final Wire wire =
      new Wire(
          Runnable::run,
          new MessageReader(1_000),
          new Wire.Listener() {
            @Override
            public void heard(Incoming incoming) {}

            @Override
            public void broken(WireFault fault) {}

            @Override
            public void gone() {
              seen.add("gone");
            }
          });

  private void takeOver() {
    channel.pipeline().addLast("wsdecoder", new ChannelInboundHandlerAdapter());
    channel.pipeline().addLast("handler", new ChannelInboundHandlerAdapter());
    wire.takeOver(channel.pipeline());
  }

  private void write(String frame) {
    wire.output().write(Unpooled.wrappedBuffer(frame.getBytes(StandardCharsets.UTF_8)));
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void whatIsWrittenWaitsForItsFlush() {
    takeOver();
    write("a");
    write("b");
    assertThat(channel.outboundMessages()).isEmpty();
    wire.output().flush();
    assertThat(channel.<ByteBuf>readOutbound().readByte()).isEqualTo((byte) 'a');
    assertThat(channel.<ByteBuf>readOutbound().readByte()).isEqualTo((byte) 'b');
  }

  /// As TLS stands there.
  @Test
  void whatStandsBeforeTheChannelSeesAllThatIsWritten() {
    channel
        .pipeline()
        .addLast(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(ChannelHandlerContext to, Object frame, ChannelPromise done) {
                seen.add("write");
                to.write(frame, done);
              }

              @Override
              public void flush(ChannelHandlerContext to) {
                seen.add("flush");
                to.flush();
              }
            });
    takeOver();
    write("a");
    wire.output().flush();
    assertThat(seen).containsExactly("write", "flush");
    assertThat(channel.outboundMessages()).hasSize(1);
  }

  @Test
  void onceTheConnectionIsOverAFrameIsReleased() {
    takeOver();
    channel.close();
    ByteBuf frame = Unpooled.buffer().writeByte(1);
    wire.output().write(frame);
    wire.output().flush();
    assertThat(frame.refCnt()).isZero();
    assertThat(seen).contains("gone");
  }
}
