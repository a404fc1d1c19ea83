package io.confab.listener;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Bounds what one connection makes the server remember: a pipelined request (RFC 9112 §9.3.2)
/// begins once the answer before it has been handed to the kernel, few may wait for that, and a
/// client that takes nothing of an answer for a time is cut off.
///
/// It stands in the pipeline below Vert.x, which begins the next request as soon as an answer is
/// written, whether anybody reads it or not. An upgrade ends it. Belongs to one connection.
public final class PipelinedRequests extends ChannelDuplexHandler {
  private static final String STALL = "answerStall";

  /// Parts of requests that may wait: 128 without a body.
  private static final int MOST_WAITING = 256;

  private final SharedBound unfinished;
  private final Queue<Object> waiting = new ArrayDeque<>();
  private Runnable cutOff = () -> {};
  private int waitingBytes;

  /// Requests of Vert.x whose answers have not left, one at most.
  private int begun;

  /// Whether something of an answer has been written.
  private boolean answering;

  private boolean brokenOff;
  private boolean readingStopped;

  /// @param unfinished bound of what all connections of the loop make wait
  PipelinedRequests(SharedBound unfinished) {
    this.unfinished = unfinished;
  }

  /// To be called for each connection when it opens.
  ///
  /// @param stall how long a client may take nothing of what waits for it
  static void bound(HttpConnection connection, Duration stall, SharedBound unfinished) {
    ((ConnectionBase) connection)
        .channelHandlerContext()
        .pipeline()
        .addBefore(
            "handler",
            STALL,
            new IdleStateHandler(true, 0, stall.toMillis(), 0, TimeUnit.MILLISECONDS))
        .addBefore("handler", "pipelinedRequests", new PipelinedRequests(unfinished));
  }

  /// Closes a connection at once: what waits to be written is thrown away. Vert.x would write it
  /// first, to a client that perhaps takes nothing.
  public static void cutOff(HttpConnection connection) {
    ((ConnectionBase) connection).channelHandlerContext().close();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    cutOff = ctx::close;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (waiting.isEmpty() && mayGoOn(message)) {
      pass(ctx, message);
    } else if (waiting.size() < MOST_WAITING && ctx.channel().isOpen()) {
      waiting.add(message);
      count(HeadBytes.of(message));
      if (ctx.channel().config().isAutoRead()) {
        ctx.channel().config().setAutoRead(false);
        readingStopped = true;
      }
    } else {
      ReferenceCountUtil.release(message);
      ctx.close();
    }
  }

  private void count(int bytes) {
    waitingBytes += bytes;
    unfinished.holds(cutOff, waitingBytes);
  }

  private boolean mayGoOn(Object message) {
    return begun == 0 || !(message instanceof HttpRequest);
  }

  private void pass(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest) {
      begun++;
    } else if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
      ReferenceCountUtil.release(message);
      breakOff(ctx);
      return;
    }
    ctx.fireChannelRead(message);
  }

  /// Refuses a body that cannot be read, such as one with malformed chunks. Vert.x would close the
  /// connection without a word.
  private void breakOff(ChannelHandlerContext ctx) {
    if (begun == 0 || answering) {
      ctx.close();
      return;
    }
    FullHttpResponse refusal =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
    HttpUtil.setContentLength(refusal, 0);
    refusal.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    ctx.channel().writeAndFlush(refusal).addListener(ChannelFutureListener.CLOSE);
    brokenOff = true;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise)
      throws Exception {
    if (brokenOff) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
      return;
    }
    answering |= message instanceof HttpResponse && !isInterim(message);
    if (message instanceof HttpResponse response
        && response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
      ctx.pipeline().remove(this);
      ctx.write(message, promise);
    } else if (message instanceof LastHttpContent && !isInterim(message)) {
      ctx.write(message, promise.unvoid().addListener(_ -> answerLeft(ctx)));
    } else {
      ctx.write(message, promise);
    }
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  /// The next request begins in a task of its own, not while the kernel is being written to.
  private void answerLeft(ChannelHandlerContext ctx) {
    begun--;
    answering = false;
    if (begun == 0 && !waiting.isEmpty()) {
      ctx.executor().execute(() -> goOn(ctx));
    }
  }

  private void goOn(ChannelHandlerContext ctx) {
    while (ctx.channel().isActive() && !waiting.isEmpty() && mayGoOn(waiting.element())) {
      Object next = waiting.remove();
      count(-HeadBytes.of(next));
      pass(ctx, next);
    }
    if (waiting.isEmpty() && readingStopped) {
      readingStopped = false;
      ctx.channel().config().setAutoRead(true);
    }
    ctx.fireChannelReadComplete(); // at which Vert.x may stop reading for reasons of its own
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof IdleStateEvent idle && idle.state() == IdleState.WRITER_IDLE) {
      if (isStalled(ctx.channel().unsafe().outboundBuffer())) {
        ctx.close();
      }
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  private static boolean isStalled(@Nullable ChannelOutboundBuffer unsent) {
    return unsent != null && unsent.totalPendingWriteBytes() > 0;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (ctx.pipeline().get(STALL) != null) {
      ctx.pipeline().remove(STALL);
    }
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    count(-waitingBytes);
  }
}
