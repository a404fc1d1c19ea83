package io.confab.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.function.IntConsumer;

/// Follows the messages of the event bus on one connection, each of which begins with its length in
/// four bytes, and ends the connection at one that says it is too long. For one event loop.
final class BusMessages extends ChannelInboundHandlerAdapter {
  private final int most;
  private final IntConsumer unfinished;
  private int head;
  private int headBytes;
  private int length;
  private int awaited;
  private boolean whole;
  private boolean ended;

  /// @param unfinished is told how much has come of a message that is not there as a whole
  BusMessages(int most, IntConsumer unfinished) {
    this.most = most;
    this.unfinished = unfinished;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object read) {
    if (!ended && follow((ByteBuf) read)) {
      if (whole) {
        unfinished.accept(0); // what is there of the next one waits since now
      }
      unfinished.accept(awaited == 0 ? 0 : length - awaited);
      ctx.fireChannelRead(read);
      return;
    }
    ended = true;
    ReferenceCountUtil.release(read);
    ctx.close();
  }

  /// Answers whether every message is within the bound, and notes whether one was completed.
  private boolean follow(ByteBuf read) {
    whole = false;
    int end = read.writerIndex();
    int i = read.readerIndex();
    while (i < end) {
      if (awaited > 0) {
        int passed = Math.min(awaited, end - i);
        awaited -= passed;
        whole |= awaited == 0;
        i += passed;
      } else {
        head = (head << Byte.SIZE) | (read.getByte(i++) & 0xff);
        headBytes++;
      }
      if (headBytes == Integer.BYTES) {
        if (head < 0 || head > most) {
          return false;
        }
        length = head;
        awaited = head;
        head = 0;
        headBytes = 0;
      }
    }
    return true;
  }
}
