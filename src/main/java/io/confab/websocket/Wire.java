package io.confab.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One upgraded connection, below Vert.x: messages come off it, frames go onto it. It takes the
/// place of all handlers that Vert.x has in the pipeline: those close with the wrong codes,
/// take bad UTF-8, and have one limit for a connection's life.
public final class Wire extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(Wire.class);

  /// Told on the context of the event loop.
  public interface Listener {
    void heard(Incoming incoming);

    /// Nothing more can be read; what still comes is thrown away.
    void broken(WireFault fault);

    /// So many bytes are kept that came and are not read: of a frame that is not there as a whole,
    /// or because nothing is read now.
    default void unread(int bytes) {}

    /// The connection is over. May be told more than once.
    void gone();
  }

  private static final List<String> OF_VERTX =
      List.of("idle", "chunkedWriter", "answerHeaders", "handler", "wsencoder");

  private final Executor context;
  private final MessageReader reader;
  private final Listener listener;
  private final Output output = new Output();
  private @Nullable ChannelHandlerContext added;
  private boolean paused;
  private boolean deaf;
  private int unread;

  /// Whether something was read as a whole since it was last told what is kept.
  private boolean whole;

  /// @param context runs at once what is to run on the context of the event loop
  public Wire(Executor context, MessageReader reader, Listener listener) {
    this.context = context;
    this.reader = reader;
    this.listener = listener;
  }

  /// Takes over from Vert.x right after the upgrade. What Vert.x holds frames in while TLS is
  /// busy must go too: only bytes that the channel knows of are counted.
  public void takeOver(ChannelPipeline pipeline) {
    for (String name : OF_VERTX) {
      if (pipeline.get(name) != null) {
        pipeline.remove(name);
      }
    }
    pipeline.replace("wsdecoder", "wire", this); // hands over bytes that have come already
    if (pipeline.first() == this) {
      output.bare();
    }
    pipeline.channel().config().setAutoRead(true);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    added = ctx;
    output.open(ctx);
    if (!ctx.channel().isActive()) {
      gone(); // before the upgrade was decided
    }
  }

  private ChannelHandlerContext channel() {
    return Objects.requireNonNull(added);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (deaf) {
      in.skipBytes(in.readableBytes());
    } else if (!paused) {
      read(in);
    }
  }

  private void read(ByteBuf in) {
    try {
      Incoming incoming = reader.read(in);
      if (incoming != null) {
        whole = true;
        deaf = incoming instanceof Incoming.Close;
        context.execute(() -> listener.heard(incoming));
      }
    } catch (WireFault fault) {
      deaf = true;
      in.skipBytes(in.readableBytes());
      context.execute(() -> listener.broken(fault));
    }
  }

  /// The decoder of Netty would read on, as it was never seen to pass anything on.
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    discardSomeReadBytes();
    int kept = actualReadableBytes() == 0 ? 0 : internalBuffer().capacity();
    if (whole && unread > 0) {
      unread = 0;
      context.execute(() -> listener.unread(0)); // what is kept now waits since now
    }
    whole = false;
    if (kept != unread) {
      unread = kept;
      context.execute(() -> listener.unread(kept));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    output.release();
    gone();
  }

  private void gone() {
    context.execute(listener::gone);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.debug("A connection broke", cause);
    ctx.close();
  }

  public ByteBufAllocator allocator() {
    return channel().alloc();
  }

  /// Runs it at once, on the context of the event loop: what Netty tells is told outside of it.
  public void onContext(Runnable action) {
    context.execute(action);
  }

  /// What goes out, in the order in which it is written.
  public Output output() {
    return output;
  }

  /// Reads nothing until [#resume]; what has been read already waits.
  public void pause() {
    paused = true;
    channel().channel().config().setAutoRead(false);
  }

  public void resume() {
    if (paused) {
      paused = false;
      channel().channel().config().setAutoRead(true);
      channel().executor().execute(this::readWhatWaits);
    }
  }

  private void readWhatWaits() {
    try {
      channelRead(channel(), Unpooled.EMPTY_BUFFER);
      channelReadComplete(channel());
    } catch (Exception e) {
      exceptionCaught(channel(), e);
    }
  }

  public boolean isPaused() {
    return paused;
  }

  /// Nothing more will be written. The peer can read to the end; closing while something of its
  /// is unread would take away what is under way to it (RFC 1122 §4.2.2.13).
  public void finishOutput() {
    SslHandler tls = channel().pipeline().get(SslHandler.class);
    if (tls == null) {
      shutDownOutput();
    } else {
      tls.closeOutbound().addListener(_ -> shutDownOutput()); // its own goodbye goes first
    }
  }

  private void shutDownOutput() {
    if (channel().channel() instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
    } else {
      end();
    }
  }

  /// Ends the connection, whatever is under way.
  public void end() {
    channel().close();
  }
}
