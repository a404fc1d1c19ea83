package io.confab.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/// Counts what the TLS of one connection keeps of what a stranger sends: all of a handshake, whose
/// messages may be spread over records, then what is there of a record. Stands below TLS; for one
/// event loop.
final class TlsRecords extends ChannelInboundHandlerAdapter {
  private static final int HEAD = 5;
  private static final int LENGTH = 0xffff;

  private final Lengths records = new Lengths(HEAD, LENGTH, LENGTH);
  private final SharedBound unfinished;
  private Runnable cutOff = () -> {};
  private int handshake;
  private boolean established;
  private boolean counted;

  /// @param unfinished shared with other event loops, which hold its lock
  TlsRecords(SharedBound unfinished) {
    this.unfinished = unfinished;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    cutOff = ctx.channel()::close;
    ctx.channel().closeFuture().addListener(_ -> holds(0));
  }

  /// The handshake is over.
  void established() {
    established = true;
    holds(records.unfinished());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object read) {
    ByteBuf bytes = (ByteBuf) read;
    records.follow(bytes);
    if (records.whole() && established) {
      holds(0); // what is there of the next one waits since now
    }
    handshake += established ? 0 : bytes.readableBytes();
    holds(established ? kept(bytes) : handshake);
    ctx.fireChannelRead(read);
  }

  /// A part of a record keeps all of the buffer in which it came.
  private int kept(ByteBuf read) {
    int part = records.unfinished();
    return part == 0 ? 0 : Math.max(part, read.capacity());
  }

  private void holds(int now) {
    if (now > 0 || counted) {
      counted = now > 0;
      synchronized (unfinished) {
        unfinished.holds(cutOff, now);
      }
    }
  }
}
