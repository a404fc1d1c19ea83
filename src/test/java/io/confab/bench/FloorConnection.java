package io.confab.bench;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A WebSocket of the least that a server can do: it knows the key and the mask of the driver,
/// checks nothing, and must not be shown to anybody but the benchmark.
final class FloorConnection extends ChannelInboundHandlerAdapter {
  private static final int BACKLOG = 4_096;
  private static final int FINAL_TEXT = 0x81;
  private static final int SHORT = 126;
  private static final int MASK_BYTES = 4;
  private static final String UPGRADED =
      """
      HTTP/1.1 101 Switching Protocols\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r
      \r
      """;

  /// What becomes of the texts. All of it on the one loop of all connections.
  interface Server {
    void opened(Channel channel);

    /// @param frame with the same text, for whoever is told, once; to be released
    /// @param at where the text begins in it
    void said(Channel channel, ByteBuf frame, int at);

    /// Nothing more has come from this one for now.
    void silent();

    void closed(Channel channel);
  }

  private final Server server;
  private @Nullable ByteBuf begun;
  private boolean upgraded;

  private FloorConnection(Server server) {
    this.server = server;
  }

  /// Listens on a free port, says on which, and blocks.
  @SuppressWarnings("SystemOut")
  static void serve(EventLoopGroup oneLoop, Server server) throws InterruptedException {
    Channel listening =
        new ServerBootstrap()
            .group(oneLoop)
            .channel(EpollServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new FloorConnection(server));
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    System.out.println("listens on " + ((InetSocketAddress) listening.localAddress()).getPort());
    listening.closeFuture().sync();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (begun != null) {
      ByteBuf both = ctx.alloc().buffer().writeBytes(begun).writeBytes(in);
      begun.release();
      in.release();
      in = both;
      begun = null;
    }
    if (!upgraded) {
      upgrade(ctx, in);
    }
    while (upgraded && frame(ctx, in)) {}
    if (in.isReadable()) {
      begun = in;
    } else {
      in.release();
    }
  }

  /// The key of the driver is always the same.
  private void upgrade(ChannelHandlerContext ctx, ByteBuf in) {
    String head = in.toString(StandardCharsets.US_ASCII);
    if (head.endsWith("\r\n\r\n")) {
      in.skipBytes(in.readableBytes());
      upgraded = true;
      server.opened(ctx.channel());
      byte[] answer = UPGRADED.getBytes(StandardCharsets.US_ASCII);
      ctx.writeAndFlush(ctx.alloc().buffer().writeBytes(answer));
    }
  }

  /// Whether a whole frame was there. Its mask is known to be zero.
  private boolean frame(ChannelHandlerContext ctx, ByteBuf in) {
    int begin = in.readerIndex();
    if (in.readableBytes() < 2) {
      return false;
    }
    int size = in.getByte(begin + 1) & 0x7F;
    int head = (size < SHORT ? 2 : 4) + MASK_BYTES;
    if (in.readableBytes() < head) {
      return false;
    }
    int length = size < SHORT ? size : in.getUnsignedShort(begin + 2);
    if (in.readableBytes() < head + length) {
      return false;
    }
    in.readerIndex(begin + head + length);
    ByteBuf frame = ctx.alloc().directBuffer(length + 4).writeByte(FINAL_TEXT);
    if (length < SHORT) {
      frame.writeByte(length);
    } else {
      frame.writeByte(SHORT).writeShort(length);
    }
    int at = frame.writerIndex();
    server.said(ctx.channel(), frame.writeBytes(in, begin + head, length), at);
    return true;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    server.silent();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    server.closed(ctx.channel());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
