package io.confab.listener;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/// Stands where the event bus accepts connections without TLS, and bounds what a stranger at its
/// port can make the node hold: Vert.x keeps what has come of a message, however long that says it
/// is, before anybody knows who sends it.
@Sharable
final class BusGate extends ChannelInboundHandlerAdapter {
  /// The largest messages are pages and bodies of some hundred KiB.
  static final int MESSAGE_BYTES = 4 << 20;

  /// Each node has one to each other.
  static final int CONNECTIONS = 128;

  private final SharedBound unfinished;
  private final AtomicInteger connections = new AtomicInteger();

  /// @param bytes of all messages that have not come as a whole
  BusGate(long bytes) {
    this.unfinished = new SharedBound(bytes);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object accepted) {
    Channel connection = (Channel) accepted;
    if (connections.incrementAndGet() > CONNECTIONS) {
      connections.decrementAndGet();
      connection.unsafe().closeForcibly(); // it belongs to no event loop yet
      return;
    }
    Runnable cutOff = connection::close;
    connection
        .closeFuture()
        .addListener(
            _ -> {
              connections.decrementAndGet();
              holds(cutOff, 0);
            });
    connection.pipeline().addFirst(new BusMessages(MESSAGE_BYTES, now -> holds(cutOff, now)));
    ctx.fireChannelRead(connection);
  }

  /// Connections are of several event loops.
  private synchronized void holds(Runnable cutOff, int now) {
    unfinished.holds(cutOff, now);
  }
}
