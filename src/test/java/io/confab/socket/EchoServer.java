package io.confab.socket;

import io.confab.config.Config;
import io.confab.listener.PublicListener;
import io.confab.listener.SharedBound;
import io.confab.metrics.Meters;
import io.confab.testing.TestConfig;
import io.confab.time.TimingWheel;
import io.confab.websocket.FrameHeader;
import io.confab.websocket.FrameWriter;
import io.confab.websocket.Incoming;
import io.confab.websocket.MessageReader;
import io.confab.websocket.Wire;
import io.confab.websocket.WireFault;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.http.WebSocketInternal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Sends every WebSocket message back, on a free port of loopback. Listener, wire, reader,
/// pongs and closing handshake are the product's; but messages may have 16 MB, binary ones are
/// taken, and no goodbye comes before a close.
final class EchoServer implements AutoCloseable {
  private static final int MOST_BYTES = 16 * 1024 * 1024;
  private static final long TICK_MS = 100;

  private final Vertx vertx = Vertx.vertx();
  private volatile int port;

  EchoServer() {
    await(vertx.deployVerticle(new Listener()));
  }

  private final class Listener extends VerticleBase {
    @Override
    public Future<?> start() {
      Config config = TestConfig.node(Path.of("unused"));
      SocketChannel.ChannelContext around =
          surroundings((ContextInternal) context, config.sockets());
      vertx.setPeriodic(TICK_MS, _ -> around.wheel().advance());
      return vertx
          .createHttpServer(PublicListener.options(config, Optional.empty()))
          .webSocketHandler(socket -> new Echo((ContextInternal) context, around).begin(socket))
          .listen()
          .onSuccess((HttpServer server) -> port = server.actualPort());
    }
  }

  private static SocketChannel.ChannelContext surroundings(
      ContextInternal context, Config.Sockets limits) {
    return new SocketChannel.ChannelContext(
        new SharedFrames(),
        new Flushes(flush -> context.runOnContext(_ -> flush.run()), 1 << 30),
        new SharedBound(1 << 30),
        new TimingWheel(Duration.ofMillis(TICK_MS), 64, System::nanoTime),
        new Meters(),
        limits,
        () -> 0);
  }

  private static final class Echo implements Wire.Listener {
    private final Wire wire;
    private final SocketChannel channel;

    Echo(ContextInternal context, SocketChannel.ChannelContext around) {
      MessageReader reader = new MessageReader(MOST_BYTES);
      wire = new Wire(task -> context.emit(task, Runnable::run), reader, this);
      channel = new SocketChannel(wire, reader, around);
    }

    void begin(ServerWebSocket socket) {
      wire.takeOver(((WebSocketInternal) socket).channelHandlerContext().pipeline());
    }

    private void send(int opcode, byte[] payload) {
      wire.output().write(FrameWriter.frame(opcode, payload, wire.allocator()));
      wire.output().flush();
    }

    @Override
    public void heard(Incoming incoming) {
      switch (incoming) {
        case Incoming.Text(String text) ->
            send(FrameHeader.TEXT, text.getBytes(StandardCharsets.UTF_8));
        case Incoming.Binary(byte[] payload) -> send(FrameHeader.BINARY, payload);
        case Incoming.Ping(byte[] payload) -> channel.pong(payload);
        case Incoming.Close(byte[] payload) -> channel.closedByPeer(payload);
        case Incoming.Part _, Incoming.Pong _ -> {}
      }
    }

    @Override
    public void broken(WireFault fault) {
      send(FrameHeader.CLOSE, FrameWriter.closing(fault.code().code(), fault.reason()));
      wire.output().writeAndTell(Unpooled.EMPTY_BUFFER).addListener(_ -> wire.finishOutput());
      wire.output().flush();
    }

    @Override
    public void gone() {
      channel.gone();
    }
  }

  int port() {
    return port;
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
