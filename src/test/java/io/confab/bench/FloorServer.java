package io.confab.bench;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The least that a server in Java can do: Netty with one epoll loop, which writes what somebody
/// says to everybody in one buffer, encoded once, and flushes what came together once a socket. It
/// keeps nothing and checks nothing, and must not be shown to anybody but the benchmark.
final class FloorServer {
  private static final int BACKLOG = 4_096;
  private static final int FINAL_TEXT = 0x81;
  private static final int SHORT = 126;
  private static final int MASK_BYTES = 4;

  /// What begins so comes back to who said it, and to nobody else.
  static final char ECHO = '=';

  private static final String UPGRADED =
      """
      HTTP/1.1 101 Switching Protocols\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r
      \r
      """;

  private final Set<Channel> all = new LinkedHashSet<>();

  private FloorServer() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws InterruptedException {
    FloorServer server = new FloorServer();
    var group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    Channel listening =
        new ServerBootstrap()
            .group(group)
            .channel(EpollServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(server.new Guest());
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    System.out.println("listens on " + ((InetSocketAddress) listening.localAddress()).getPort());
    listening.closeFuture().sync();
  }

  /// One connection.
  private final class Guest extends ChannelInboundHandlerAdapter {
    private final List<ByteBuf> said = new ArrayList<>();
    private @Nullable ByteBuf begun;
    private boolean upgraded;

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
        all.add(ctx.channel());
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
      frame.writeBytes(in, begin + head, length);
      if (in.getByte(begin + head) == ECHO) {
        ctx.writeAndFlush(frame);
      } else {
        said.add(frame);
      }
      return true;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      if (said.isEmpty()) {
        return;
      }
      for (Channel channel : all) {
        for (ByteBuf frame : said) {
          channel.write(frame.retainedDuplicate(), channel.voidPromise());
        }
        channel.flush();
      }
      said.forEach(ByteBuf::release);
      said.clear();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      all.remove(ctx.channel());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
