package io.confab.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The least that a server in Java can do: Netty with one epoll loop, which writes what somebody
/// says to everybody in one buffer, encoded once, and flushes what came together once a socket. It
/// keeps nothing.
final class FloorServer implements FloorConnection.Server {
  /// What begins so comes back to who said it, and to nobody else.
  static final char ECHO = '=';

  private final Set<Channel> all = new LinkedHashSet<>();
  private final List<ByteBuf> said = new ArrayList<>();

  private FloorServer() {}

  public static void main(String[] args) throws InterruptedException {
    FloorConnection.serve(
        new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()), new FloorServer());
  }

  @Override
  public void opened(Channel channel) {
    all.add(channel);
  }

  @Override
  public void said(Channel channel, ByteBuf frame, int at) {
    if (frame.getByte(at) == ECHO) {
      channel.writeAndFlush(frame);
    } else {
      said.add(frame);
    }
  }

  @Override
  public void silent() {
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
  public void closed(Channel channel) {
    all.remove(channel);
  }
}
