package io.confab.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The client of all contestants: one thread with all connections.
final class Driver implements AutoCloseable {
  private static final int SECONDS = 120;

  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final EventLoop loop = group.next();

  EventLoop loop() {
    return loop;
  }

  void connect(int port, Line line) {
    new Bootstrap()
        .group(loop)
        .channel(EpollSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, SECONDS * 1_000)
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(line);
              }
            })
        .connect("127.0.0.1", port)
        .addListener(
            connected -> {
              if (!connected.isSuccess()) {
                line.ears().failed(line, "no connection: " + connected.cause());
              }
            });
  }

  /// Runs it on the driver's thread and answers what it answers.
  <T> T ask(Callable<T> what) {
    try {
      return loop.submit(what).get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
