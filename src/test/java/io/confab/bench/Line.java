package io.confab.bench;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One connection of the driver, of one person. All of it happens on the driver's thread.
final class Line extends ChannelInboundHandlerAdapter {
  private final int person;
  private final Framing framing;
  private final Speech speech;
  private Ears ears;
  private @Nullable ChannelHandlerContext context;

  /// What of a text is there, when it is not whole.
  private @Nullable ByteBuf begun;

  private boolean closing;

  /// Bytes of all texts that were heard.
  private long bytes;

  Line(int person, Framing framing, Speech speech, Ears ears) {
    this.person = person;
    this.framing = framing;
    this.speech = speech;
    this.ears = ears;
  }

  int person() {
    return person;
  }

  Ears ears() {
    return ears;
  }

  void tell(Ears others) {
    ears = others;
  }

  long bytes() {
    return bytes;
  }

  ByteBufAllocator buffers() {
    return requireNonNull(context).alloc();
  }

  void opened() {
    speech.opened(this);
  }

  void heard(ByteBuf in, int at, int length) {
    bytes += length;
    speech.heard(in, at, length, this);
  }

  void say(String text) {
    say(text.getBytes(StandardCharsets.UTF_8));
  }

  void say(byte[] text) {
    write(framing.frame(text, this));
    flush();
  }

  /// Says it in a room, without a flush.
  void message(int room, int token) {
    write(framing.frame(speech.message(room, Token.text(token)), this));
  }

  void write(ByteBuf raw) {
    requireNonNull(context).write(raw, requireNonNull(context).voidPromise());
  }

  void flush() {
    requireNonNull(context).flush();
  }

  void close() {
    closing = true;
    if (context != null) {
      context.close();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    context = ctx;
    framing.begin(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = whole((ByteBuf) message);
    framing.read(in, this);
    if (in.isReadable()) {
      begun = in;
    } else {
      in.release();
    }
  }

  /// With what was there before.
  private ByteBuf whole(ByteBuf next) {
    if (begun == null) {
      return next;
    }
    ByteBuf both = buffers().buffer(begun.readableBytes() + next.readableBytes());
    both.writeBytes(begun).writeBytes(next);
    begun.release();
    next.release();
    begun = null;
    return both;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (begun != null) {
      begun.release();
      begun = null;
    }
    if (!closing) {
      ears.failed(this, "was closed by the server");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ears.failed(this, cause.toString());
    close();
  }
}
