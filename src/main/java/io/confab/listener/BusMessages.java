package io.confab.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.function.IntConsumer;

/// Follows the messages of the event bus on one connection, each of which begins with its length in
/// four bytes, and ends the connection at one that says it is too long. For one event loop.
final class BusMessages extends ChannelInboundHandlerAdapter {
  private final Lengths messages;
  private final IntConsumer unfinished;
  private boolean ended;

  /// @param unfinished is told how much has come of a message that is not there as a whole
  BusMessages(int most, IntConsumer unfinished) {
    this.messages = new Lengths(Integer.BYTES, -1, most);
    this.unfinished = unfinished;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object read) {
    if (!ended && messages.follow((ByteBuf) read)) {
      if (messages.whole()) {
        unfinished.accept(0); // what is there of the next one waits since now
      }
      unfinished.accept(messages.unfinished());
      ctx.fireChannelRead(read);
      return;
    }
    ended = true;
    ReferenceCountUtil.release(read);
    ctx.close();
  }
}
