package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.config.Rate;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.listener.SharedBound;
import io.confab.metrics.Meters;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import io.confab.time.TimingWheel;
import io.confab.websocket.FrameHeader;
import io.confab.websocket.Frames;
import io.confab.websocket.Incoming;
import io.confab.websocket.MessageReader;
import io.confab.websocket.Wire;
import io.confab.websocket.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A limit of ten frames a second, twenty at once.
@Timeout(30)
class FramePaceTest {
  private static final Rate RATE = new Rate(10, Duration.ofSeconds(1), 20);

  private long now;
  private final TimingWheel wheel = new TimingWheel(Duration.ofMillis(10), 16, () -> now);
  private final Config config =
      TestConfig.with(
          TestConfig.node(Path.of("unused")), "rates", TestConfig.rates(Map.of("frames", RATE)));
  private final Limits limits = TestLimits.limits(config, () -> now);
  private final MessageReader reader = new MessageReader(65_536);
  private final Wire wire = new Wire(Runnable::run, reader, new Counting());
  private final EmbeddedChannel netty = new EmbeddedChannel(wire);
  private final SocketChannel channel =
      new SocketChannel(
          wire,
          reader,
          new SocketChannel.ChannelContext(
              new SharedFrames(),
              new Flushes(new ArrayDeque<>()::add, 1 << 20),
              new SharedBound(1 << 20),
              wheel,
              new Meters(),
              TestConfig.sockets(),
              () -> 0));
  private String counted = "device";
  private final FramePace pace = new FramePace(limits, wheel, channel, () -> counted);
  private int heard;

  private final class Counting implements Wire.Listener {
    @Override
    public void heard(Incoming incoming) {
      heard++;
      switch (incoming) {
        case Incoming.Text(String text) -> pace.countSize(text.length());
        case Incoming.Binary _,
            Incoming.Part _,
            Incoming.Ping _,
            Incoming.Pong _,
            Incoming.Close _ ->
            pace.count();
      }
    }

    @Override
    public void broken(WireFault fault) {
      throw fault;
    }

    @Override
    public void gone() {}
  }

  @AfterEach
  void close() {
    netty.finishAndReleaseAll();
  }

  /// In one piece, as the network brings it.
  private void comes(int times, Supplier<ByteBuf> frame) {
    ByteBuf all = Unpooled.buffer();
    for (int i = 0; i < times; i++) {
      all.writeBytes(frame.get());
    }
    netty.writeInbound(all);
  }

  private void passes(Duration time) {
    for (long end = now + time.toNanos(); now < end; ) {
      now += Duration.ofMillis(10).toNanos();
      wheel.advance();
      netty.runPendingTasks();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {FrameHeader.PING, FrameHeader.PONG})
  void controlFramesAreReadAsSlowlyAsTheLimitSays(int opcode) {
    comes(1_000, () -> Frames.frame(Frames.LAST | opcode));
    isReadSlowly();
  }

  @Test
  void emptyPartsOfAMessageAreToo() {
    netty.writeInbound(Frames.frame(FrameHeader.TEXT));
    comes(1_000, () -> Frames.frame(FrameHeader.CONTINUATION));
    isReadSlowly();
  }

  private void isReadSlowly() {
    assertThat(heard).isEqualTo(20);
    assertThat(wire.isPaused()).isTrue();

    passes(Duration.ofSeconds(10));

    assertThat(heard).isBetween(110, 121);
  }

  @Test
  void aLargeFrameCountsForSeveral() {
    comes(100, () -> Frames.text("x".repeat(40_960)));

    assertThat(heard).isEqualTo(2);
  }

  @Test
  void whatIsReadWithinTheLimitIsReadAtOnce() {
    for (int i = 0; i < 100; i++) {
      comes(1, () -> Frames.frame(Frames.LAST | FrameHeader.PING));
      passes(Duration.ofMillis(100));
    }

    assertThat(heard).isEqualTo(100);
    assertThat(wire.isPaused()).isFalse();
  }

  @Test
  void aStrangerDoesNotUseUpWhatADeviceMaySay() {
    counted = "address";
    comes(20, () -> Frames.frame(Frames.LAST | FrameHeader.PING));
    assertThat(limits.delay(Limit.FRAMES, "address")).isPositive();

    assertThat(limits.delay(Limit.FRAMES, "device")).isZero();
  }

  @Test
  void aSocketThatIsPausedForTwoReasonsWaitsForBoth() {
    comes(21, () -> Frames.frame(Frames.LAST | FrameHeader.PING));
    channel.pause();
    passes(Duration.ofSeconds(1));
    assertThat(heard).isEqualTo(20);

    channel.resume();
    netty.runPendingTasks();

    assertThat(heard).isEqualTo(21);
  }
}
