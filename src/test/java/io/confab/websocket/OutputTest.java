package io.confab.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Over connections of the kernel, with buffers of few bytes.
@Timeout(60)
class OutputTest {
  private static final int KERNEL_BYTES = 16_384;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final BlockingQueue<EpollSocketChannel> accepted = new LinkedBlockingQueue<>();
  private final Socket client = new Socket();
  private EpollSocketChannel channel;
  private Output output;

  @BeforeEach
  void connect() throws Exception {
    Channel listening =
        new ServerBootstrap()
            .group(loops)
            .channel(EpollServerSocketChannel.class)
            .childOption(ChannelOption.SO_SNDBUF, KERNEL_BYTES)
            .childHandler(
                new ChannelInitializer<EpollSocketChannel>() {
                  @Override
                  protected void initChannel(EpollSocketChannel child) {
                    accepted.add(child);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    client.setReceiveBufferSize(KERNEL_BYTES);
    client.connect((InetSocketAddress) listening.localAddress());
    channel = accepted.take();
    output = onLoop(this::open);
  }

  private Output open() {
    ChannelHandlerAdapter last = new ChannelHandlerAdapter() {};
    channel.pipeline().addLast(last);
    Output opened = new Output();
    opened.open(channel.pipeline().context(last));
    opened.bare();
    return opened;
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private <T> T onLoop(Callable<T> action) throws Exception {
    return channel.eventLoop().submit(action).get();
  }

  /// Bytes that tell their place.
  private static byte[] bytes(int from, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (((from + i) * 31) >> 3);
    }
    return bytes;
  }

  private static ByteBuf frame(byte[] bytes) {
    return Unpooled.directBuffer(bytes.length).writeBytes(bytes);
  }

  private byte[] read(int count) throws IOException {
    return new DataInputStream(client.getInputStream()).readNBytes(count);
  }

  /// Writes frames of these sizes, flushing after so many.
  private byte[] write(List<ByteBuf> frames, int together, int... sizes) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int size : sizes) {
      byte[] bytes = bytes(all.size(), size);
      all.writeBytes(bytes);
      frames.add(frame(bytes));
    }
    onLoop(
        () -> {
          for (int i = 0; i < frames.size(); i++) {
            output.write(frames.get(i).retain());
            if ((i + 1) % together == 0) {
              output.flush();
            }
          }
          output.flush();
          return null;
        });
    return all.toByteArray();
  }

  private long queued() throws Exception {
    return onLoop(output::queuedBytes);
  }

  @Test
  void whatIsWrittenWaitsForItsFlushAndThenGoesAtOnce() throws Exception {
    ByteBuf frame = frame(bytes(0, 10));
    onLoop(
        () -> {
          output.write(frame.retain());
          assertThat(output.queuedBytes()).isEqualTo(10);
          assertThat(frame.refCnt()).isEqualTo(2);
          output.flush();
          assertThat(output.queuedBytes()).isZero();
          return null;
        });
    assertThat(frame.refCnt()).isEqualTo(1);
    assertThat(frame.readableBytes()).isEqualTo(10);
    assertThat(read(10)).isEqualTo(bytes(0, 10));
  }

  @Test
  void framesOfATurnGoTogetherInTheirOrder() throws Exception {
    List<ByteBuf> frames = new ArrayList<>();
    byte[] all = write(frames, 8, 1, 200, 3, 0, 500, 7, 11, 300);
    assertThat(read(all.length)).isEqualTo(all);
    assertThat(frames).allMatch(frame -> frame.refCnt() == 1);
    assertThat(frames.get(1).readableBytes()).isEqualTo(200);
  }

  @Test
  void whatTheKernelDoesNotTakeWaitsAndGoesInItsOrder() throws Exception {
    for (int together : List.of(1, 3, 40)) {
      List<ByteBuf> frames = new ArrayList<>();
      int[] sizes = IntStream.range(0, 1_000).map(i -> 1 + i * 7 % 1_500).toArray();
      byte[] all = write(frames, together, sizes);
      assertThat(queued()).isBetween(1L, all.length + 100L * frames.size());
      assertThat(read(all.length)).isEqualTo(all);
      onLoop(() -> null); // the loop has written the last of it by then, and now has let go of it
      assertThat(queued()).isZero();
      assertThat(frames).allMatch(frame -> frame.refCnt() == 1);
    }
  }

  @Test
  void aFrameThatIsLargerThanAllBuffersGoesInParts() throws Exception {
    List<ByteBuf> frames = new ArrayList<>();
    byte[] all = write(frames, 1, 1_000_000, 5, 1_000_000);
    assertThat(read(all.length)).isEqualTo(all);
  }

  @Test
  void whatIsToldOfGoesInItsOrder() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    onLoop(
        () -> {
          output.write(frame(bytes(0, 10)));
          output.writeAndTell(frame(bytes(10, 10))).addListener(_ -> written.countDown());
          output.write(frame(bytes(20, 10)));
          output.flush();
          return null;
        });
    assertThat(read(30)).isEqualTo(bytes(0, 30));
    written.await();
  }

  /// As that of TLS does, which gives the channel nothing before a flush.
  private static final class KeepsUntilFlush extends ChannelOutboundHandlerAdapter {
    private final List<Runnable> kept = new ArrayList<>();

    @Override
    public void write(ChannelHandlerContext ctx, Object frame, ChannelPromise promise) {
      kept.add(() -> ctx.write(frame, promise));
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
      kept.forEach(Runnable::run);
      kept.clear();
      ctx.flush();
    }
  }

  @Test
  void whatIsToldOfGoesThoughNothingWaitsBeforeIt() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    onLoop(
        () -> {
          channel.pipeline().addFirst(new KeepsUntilFlush());
          Output kept = new Output();
          kept.open(channel.pipeline().lastContext());
          kept.write(frame(bytes(0, 10)));
          kept.flush();
          kept.writeAndTell(Unpooled.EMPTY_BUFFER).addListener(_ -> written.countDown());
          kept.flush();
          return null;
        });
    assertThat(read(10)).isEqualTo(bytes(0, 10));
    written.await();
  }

  @Test
  void aFrameOfTheHeapGoesToo() throws Exception {
    onLoop(
        () -> {
          output.write(Unpooled.wrappedBuffer(bytes(0, 10)));
          output.flush();
          return null;
        });
    assertThat(read(10)).isEqualTo(bytes(0, 10));
  }

  @Test
  void onceTheConnectionIsOverFramesAreLetGo() throws Exception {
    ByteBuf waits = frame(bytes(0, 10));
    ByteBuf comes = frame(bytes(0, 10));
    onLoop(
        () -> {
          output.write(waits);
          channel.close();
          output.flush();
          output.write(comes);
          output.release();
          return null;
        });
    assertThat(waits.refCnt()).isZero();
    assertThat(comes.refCnt()).isZero();
  }

  @Test
  void aPeerThatResetIsNoticedByWhatIsWritten() throws Exception {
    client.setSoLinger(true, 0);
    client.close();
    ByteBuf frame = frame(bytes(0, 10));
    while (channel.isOpen()) {
      onLoop(
          () -> {
            output.write(frame.retain());
            output.flush();
            return null;
          });
    }
    assertThat(frame.refCnt()).isEqualTo(1);
  }
}
