package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Event;
import io.confab.listener.SharedBound;
import io.confab.metrics.Meters;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame.Pong;
import io.confab.testing.TestConfig;
import io.confab.time.TimingWheel;
import io.confab.websocket.FrameHeader;
import io.confab.websocket.FrameWriter;
import io.confab.websocket.Frames;
import io.confab.websocket.Incoming;
import io.confab.websocket.MessageReader;
import io.confab.websocket.Wire;
import io.confab.websocket.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// On a channel without a network, whose turns of the event loop the test makes.
@Timeout(30)
class SocketChannelTest {
  private static final long MEMORY = 1 << 20;
  private final List<Object> heard = new ArrayList<>();
  private final Queue<Runnable> endOfTurn = new ArrayDeque<>();
  private long now;
  private final TimingWheel wheel = new TimingWheel(Duration.ofMillis(10), 16, () -> now);
  private final Meters meters = new Meters();
  private final MessageReader reader = new MessageReader(1_000);
  private final Wire wire =
      new Wire(
          Runnable::run,
          reader,
          new Wire.Listener() {
            @Override
            public void heard(Incoming incoming) {
              SocketChannelTest.this.heard.add(incoming);
            }

            @Override
            public void broken(WireFault fault) {
              SocketChannelTest.this.heard.add(fault.code());
            }

            @Override
            public void gone() {
              SocketChannelTest.this.heard.add("gone");
            }
          });
  private final Kernel netty = new Kernel(wire);
  private final Flushes flushes = new Flushes(endOfTurn::add, MEMORY);
  private final SharedFrames encoder = new SharedFrames();
  private final SocketChannel channel =
      new SocketChannel(
          wire,
          reader,
          new SocketChannel.ChannelContext(
              encoder,
              flushes,
              new SharedBound(1 << 20),
              wheel,
              meters,
              TestConfig.sockets(),
              () -> 1_234));

  /// Takes nothing when the test says so.
  private static final class Kernel extends EmbeddedChannel {
    private boolean takesNothing;

    Kernel(Wire wire) {
      super(wire);
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer queue) throws Exception {
      if (!takesNothing) {
        super.doWrite(queue);
      }
    }

    long queued() {
      return unsafe().outboundBuffer().totalPendingWriteBytes();
    }
  }

  @AfterEach
  void close() {
    netty.takesNothing = false;
    netty.finishAndReleaseAll();
    encoder.close();
  }

  private int fill() {
    int sent = 0;
    while (!channel.isFull()) {
      channel.send(event(1_000), true);
      sent++;
    }
    return sent;
  }

  @Test
  void whereMemoryIsTightASocketThatTakesNothingIsFullMuchSooner() {
    netty.takesNothing = true;
    flushes.waits(MEMORY + 1); // for the other sockets
    int few = fill();
    assertThat(few).isBetween(1, TestConfig.sockets().queueBytes() / 8 / 1_000 + 1);
    flushes.waits(-MEMORY - 1);
    assertThat(fill()).isGreaterThan(4 * few);
  }

  @Test
  void whatWaitsIsCountedUntilTheKernelTakesItOrTheConnectionIsOver() {
    netty.takesNothing = true;
    flushes.waits(MEMORY);
    fill();
    endTurn();
    assertThat(flushes.isTight()).isTrue();
    netty.takesNothing = false;
    channel.flush();
    assertThat(flushes.isTight()).isFalse();
    netty.takesNothing = true;
    fill();
    endTurn();
    assertThat(flushes.isTight()).isTrue();
    netty.close();
    channel.gone();
    assertThat(flushes.isTight()).isFalse();
  }

  private void endTurn() {
    while (!endOfTurn.isEmpty()) {
      endOfTurn.remove().run();
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
    wheel.advance();
    netty.runPendingTasks();
  }

  /// The next frame that was written, its opcode first.
  private String written() {
    ByteBuf frame = netty.readOutbound();
    while (frame != null && !frame.isReadable()) {
      frame = netty.readOutbound(); // stands for "all before it is written"
    }
    if (frame == null) {
      return "nothing";
    }
    int opcode = frame.readUnsignedByte() & 0x0F;
    int length = frame.readUnsignedByte();
    if (length == 126) {
      length = frame.readUnsignedShort();
    }
    assertThat(frame.readableBytes()).isEqualTo(length);
    String payload =
        opcode == FrameHeader.CLOSE && length > 0
            ? frame.readUnsignedShort() + frame.toString(StandardCharsets.UTF_8)
            : frame.toString(StandardCharsets.UTF_8);
    frame.release();
    return opcode + ":" + payload;
  }

  @Test
  void whatIsWrittenInOneTurnLeavesAtItsEnd() {
    channel.send(new Pong(null, 1));
    channel.ping();
    assertThat(written()).isEqualTo("nothing");
    endTurn();
    assertThat(written()).isEqualTo("1:{\"type\":\"pong\",\"ts\":1}");
    assertThat(written()).isEqualTo("9:");
  }

  private static Event event(int bytes) {
    return new Event(new RoomId(1), new Epoch(1), new Rev(1), new Event.OfRoom(), new byte[bytes]);
  }

  @Test
  void whatOnlyWaitsForTheEndOfTheTurnMakesItNotFull() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(channel.isFull()).isFalse();
      channel.send(event(1_000), true);
    }
    endTurn();
    assertThat(netty.queued()).isZero();
  }

  @Test
  void whoTakesNothingIsFullBeforeMuchWaits() {
    netty.takesNothing = true;
    int sent = 0;
    while (!channel.isFull()) {
      channel.send(event(1_000), true);
      endTurn();
      assertThat(sent++).isLessThan(1_000);
    }
    assertThat(netty.queued()).isBetween(40_000L, 65_536L);
    netty.takesNothing = false;
    channel.flush();
    assertThat(channel.isFull()).isFalse();
  }

  @Test
  void aPingOfTheClientIsAnsweredWithWhatItSaid() {
    netty.writeInbound(Frames.frame(Frames.LAST | FrameHeader.PING, (byte) 'p'));
    assertThat(heard).hasSize(1).allMatch(Incoming.Ping.class::isInstance);
    channel.pong(((Incoming.Ping) heard.getFirst()).payload());
    endTurn();
    assertThat(written()).isEqualTo("10:p");
  }

  @Test
  void closingSaysGoodbyeThenClosesAndThenNothing() {
    channel.close(CloseCode.GOING_AWAY, "going away");
    channel.send(new Pong(null, 1));
    channel.ping();
    channel.close(CloseCode.REVOKED, "revoked");
    endTurn();
    String goodbye = written();
    assertThat(new JsonObject(goodbye.substring(2)))
        .isEqualTo(
            new JsonObject()
                .put("type", "goodbye")
                .put("code", 4000)
                .put("reason", "going away")
                .put("resume", true)
                .put("reconnect_after_ms", 1_234));
    assertThat(written()).isEqualTo("8:4000going away");
    assertThat(written()).isEqualTo("nothing");
    assertThat(meters.scrape()).contains("confab_sockets_closed_total{code=\"4000\"} 1.0");
  }

  @Test
  void onlyWhatBefallsManyAtOnceIsSpread() {
    channel.close(CloseCode.NO_BEAT, "no beat");
    assertThat(written()).contains("\"reconnect_after_ms\":0", "\"resume\":true");
  }

  @Test
  void whoStaysAwayIsToldNoTime() {
    channel.close(CloseCode.DISPLACED, "displaced");
    assertThat(written()).contains("\"reconnect_after_ms\":0", "\"resume\":false");
  }

  @Test
  void theConnectionEndsWhenTheClientHasAnsweredTheClose() {
    channel.close(CloseCode.NORMAL, "bye");
    assertThat(written()).isEqualTo("8:1000bye");
    assertThat(netty.isOpen()).isTrue();
    channel.closedByPeer(FrameWriter.closing(1000, ""));
    assertThat(netty.isOpen()).isFalse();
    assertThat(written()).isEqualTo("nothing");
    assertThat(heard).containsExactly("gone");
  }

  @Test
  void theConnectionEndsWhenTheClientDoesNotAnswerTheClose() {
    channel.close(CloseCode.NORMAL, "bye");
    pass(Duration.ofSeconds(1));
    assertThat(netty.isOpen()).isTrue();
    pass(Duration.ofSeconds(1));
    pass(Duration.ofMillis(110));
    assertThat(netty.isOpen()).isFalse();
  }

  @Test
  void theCloseOfAClientIsAnsweredAndTheConnectionEnds() {
    channel.closedByPeer(FrameWriter.closing(3000, "mine"));
    assertThat(written()).isEqualTo("8:3000mine");
    assertThat(netty.isOpen()).isFalse();
  }

  @Test
  void afterAFaultNothingIsHeardAndItIsSaidWhy() {
    netty.writeInbound(Frames.bytes(0xff, 0xff));
    assertThat(heard).containsExactly(CloseCode.MALFORMED);
    netty.writeInbound(Frames.text("more"));
    assertThat(heard).hasSize(1);
    channel.broken(new WireFault(CloseCode.MALFORMED, "why"));
    assertThat(written()).startsWith("1:").contains("\"code\":1002");
    assertThat(written()).isEqualTo("8:1002why");
    assertThat(netty.isOpen()).isFalse();
  }

  @Test
  void whatCameBeforeAPauseWaitsForItsEnd() {
    channel.pause();
    netty.writeInbound(Frames.text("a"), Frames.text("b"));
    assertThat(heard).isEmpty();
    channel.resume();
    netty.runPendingTasks();
    assertThat(heard).containsExactly(new Incoming.Text("a"), new Incoming.Text("b"));
  }

  @Test
  void whileItIsPausedNothingMoreIsAskedOfTheNetwork() {
    List<String> asked = new ArrayList<>();
    netty
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void read(ChannelHandlerContext ctx) {
                asked.add("read");
              }
            });
    channel.pause();
    netty.writeInbound(Frames.text("a")); // ends with "that was all there is"
    assertThat(asked).isEmpty();
    channel.resume();
    assertThat(asked).isNotEmpty();
  }

  @Test
  void closingReadsOnSoThatTheClientsCloseIsHeard() {
    channel.pause();
    netty.writeInbound(Frames.frame(Frames.LAST | FrameHeader.CLOSE));
    channel.close(CloseCode.NORMAL, "bye");
    netty.runPendingTasks();
    assertThat(heard).hasSize(1).allMatch(Incoming.Close.class::isInstance);
    channel.pause();
    assertThat(wire.isPaused()).isFalse();
  }

  @Test
  void theLimitIsRaisedForWhoIsWelcomed() {
    netty.writeInbound(Frames.text("x".repeat(1_000)));
    assertThat(heard).hasSize(1);
    channel.welcomed();
    netty.writeInbound(Frames.text("x".repeat(65_536)));
    assertThat(heard).hasSize(2);
    netty.writeInbound(Frames.text("x".repeat(65_537)));
    assertThat(heard).last().isEqualTo(CloseCode.TOO_LARGE);
  }
}
