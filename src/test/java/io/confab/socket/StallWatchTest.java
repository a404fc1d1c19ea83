package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.time.TimingWheel;
import io.confab.websocket.Incoming;
import io.confab.websocket.MessageReader;
import io.confab.websocket.Wire;
import io.confab.websocket.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// On a channel that takes nothing: what is flushed waits, and the test takes it away.
class StallWatchTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private long now;
  private final TimingWheel wheel = new TimingWheel(Duration.ofMillis(10), 16, () -> now);
  private final List<String> told = new ArrayList<>();
  private final Wire wire =
      new Wire(
          Runnable::run,
          new MessageReader(100),
          new Wire.Listener() {
            @Override
            public void heard(Incoming incoming) {}

            @Override
            public void broken(WireFault fault) {}

            @Override
            public void gone() {}
          });
  private final EmbeddedChannel netty =
      new EmbeddedChannel(wire) {
        @Override
        protected void doWrite(ChannelOutboundBuffer in) {}
      };
  private final StallWatch watch =
      new StallWatch(wire.output(), wheel, TIMEOUT, () -> {}, () -> told.add("stalled"));

  @AfterEach
  void close() {
    netty.close();
  }

  private ByteBuf write() {
    ByteBuf frame = Unpooled.directBuffer().writeBytes(new byte[100]);
    netty.pipeline().lastContext().write(frame);
    netty.pipeline().lastContext().flush();
    watch.flushed();
    return frame;
  }

  private ChannelOutboundBuffer queue() {
    return netty.unsafe().outboundBuffer();
  }

  private void pass(Duration time) {
    for (long end = now + time.toNanos(); now < end; ) {
      now += Duration.ofMillis(10).toNanos();
      wheel.advance();
    }
  }

  @Test
  void whoTakesNothingInTimeIsTold() {
    write();
    pass(TIMEOUT.minusSeconds(2));
    assertThat(told).isEmpty();
    pass(Duration.ofSeconds(4));
    assertThat(told).containsExactly("stalled");
  }

  @Test
  void whoTakesOneOfManyEqualFramesHasTakenSomething() {
    write();
    write();
    write();
    for (int i = 0; i < 2; i++) {
      pass(TIMEOUT.minusSeconds(3));
      queue().remove();
      assertThat(told).isEmpty();
    }
    pass(TIMEOUT.plusSeconds(3));
    assertThat(told).containsExactly("stalled");
  }

  @Test
  void whoTookEverythingIsNotWatched() {
    write();
    pass(Duration.ofSeconds(5));
    queue().remove();
    pass(TIMEOUT.multipliedBy(3));
    assertThat(told).isEmpty();
    write();
    pass(TIMEOUT.plusSeconds(3));
    assertThat(told).containsExactly("stalled");
  }
}
