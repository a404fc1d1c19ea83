package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a client that pipelines requests and reads no answers can make a connection hold.
class PipelinedRequestsTest {
  private static final long BYTES = 1 << 20;

  private final SharedBound unfinished = new SharedBound(BYTES);
  private final Kernel kernel = new Kernel();
  private final PipelinedRequests requests = new PipelinedRequests(unfinished);
  private final EmbeddedChannel channel = new EmbeddedChannel(kernel, requests);

  /// Takes what is written when the test says so.
  private static final class Kernel extends ChannelOutboundHandlerAdapter {
    private final Queue<ChannelPromise> written = new ArrayDeque<>();

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      written.add(promise);
    }

    void take() {
      written.remove().setSuccess();
    }
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  @Test
  void whatWaitsIsCountedUntilItBegins() {
    request();
    assertThat(unfinished.bytes()).isZero();
    request();
    assertThat(unfinished.bytes()).isPositive();
    answer();
    kernel.take();
    channel.runPendingTasks();
    assertThat(begun()).isEqualTo(2);
    assertThat(unfinished.bytes()).isZero();
    request();
    channel.close();
    assertThat(unfinished.bytes()).isZero();
  }

  @Test
  void aRequestBeginsOnceTheAnswerBeforeItHasLeft() {
    request();
    answer();
    request();
    channel.runPendingTasks();
    assertThat(begun()).isEqualTo(1);
    assertThat(channel.config().isAutoRead()).isFalse();

    kernel.take();
    channel.runPendingTasks();
    assertThat(begun()).isEqualTo(1);
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void aRequestWaitsWhileTheOneBeforeItIsStillWorkedOn() {
    request();
    request();
    assertThat(begun()).isEqualTo(1);
    answer();
    channel.runPendingTasks();
    assertThat(begun()).isZero();
    kernel.take();
    channel.runPendingTasks();
    assertThat(begun()).isEqualTo(1);
  }

  @Test
  void requestsThatWaitBeginOneByOne() {
    request();
    answer();
    request();
    request();
    kernel.take();
    channel.runPendingTasks();
    assertThat(begun()).isEqualTo(2);
    answer();
    kernel.take();
    channel.runPendingTasks();
    assertThat(begun()).isEqualTo(1);
  }

  @Test
  void anInterimAnswerIsNotTheAnswer() {
    request();
    channel.writeOutbound(
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    kernel.take();
    request();
    channel.runPendingTasks();
    assertThat(begun()).isEqualTo(1);
  }

  @Test
  void whoeverStopsReadingAfterwardsHasTheLastWord() {
    Kernel others = new Kernel();
    EmbeddedChannel stopped =
        new EmbeddedChannel(
            others,
            new PipelinedRequests(new SharedBound(BYTES)),
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelReadComplete(ChannelHandlerContext ctx) {
                ctx.channel().config().setAutoRead(false);
              }
            });
    stopped.writeInbound(head(), LastHttpContent.EMPTY_LAST_CONTENT);
    stopped.config().setAutoRead(true);
    stopped.writeInbound(head(), LastHttpContent.EMPTY_LAST_CONTENT);
    stopped.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    others.take();
    stopped.runPendingTasks();
    assertThat(stopped.config().isAutoRead()).isFalse();
    stopped.finishAndReleaseAll();
  }

  @Test
  void theBodyOfARequestThatIsAnsweredAlreadyStillComes() {
    channel.writeInbound(head());
    answer();
    ByteBuf body = Unpooled.buffer(1).writeByte(1);
    channel.writeInbound(new DefaultHttpContent(body), LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(channel.inboundMessages()).hasSize(3);
  }

  @Test
  void aConnectionWithTooManyRequestsIsClosedAndKeepsNothing() {
    request();
    answer();
    ByteBuf body = Unpooled.buffer(1).writeByte(1);
    channel.writeInbound(head(), new DefaultHttpContent(body));
    for (int i = 0; i < 1_000 && channel.isOpen(); i++) {
      channel.writeInbound(head(), LastHttpContent.EMPTY_LAST_CONTENT);
    }
    assertThat(channel.isOpen()).isFalse();
    assertThat(body.refCnt()).isZero();
    assertThat(begun()).isEqualTo(1);
  }

  @Test
  void nothingBeginsOnAConnectionThatIsLost() {
    request();
    answer();
    request();
    ChannelPromise unsent = kernel.written.remove();
    channel.close();
    unsent.setFailure(new ClosedChannelException());
    channel.runPendingTasks();
    assertThatThrownBy(channel::checkException).isInstanceOf(ClosedChannelException.class);
    assertThat(begun()).isEqualTo(1);
  }

  @Test
  void aConnectionWhoseClientReadsIsNotCutOff() {
    channel.pipeline().fireUserEventTriggered(IdleStateEvent.WRITER_IDLE_STATE_EVENT);
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void aConnectionWithUnsentBytesIsCutOffWhenItStalls() {
    EmbeddedChannel stalled = new EmbeddedChannel(new PipelinedRequests(new SharedBound(BYTES)));
    stalled
        .unsafe()
        .outboundBuffer()
        .addMessage(Unpooled.wrappedBuffer(new byte[9]), 9, stalled.newPromise());
    stalled.pipeline().fireUserEventTriggered(IdleStateEvent.WRITER_IDLE_STATE_EVENT);
    assertThat(stalled.isOpen()).isFalse();
  }

  @Test
  void anUpgradeEndsIt() {
    request();
    channel.writeOutbound(
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS));
    assertThat(channel.pipeline().get(PipelinedRequests.class)).isNull();
  }

  private static DefaultHttpRequest head() {
    return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
  }

  private void request() {
    channel.writeInbound(head(), LastHttpContent.EMPTY_LAST_CONTENT);
  }

  private void answer() {
    channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
  }

  private int begun() {
    int begun = 0;
    for (Object message; (message = channel.readInbound()) != null; ) {
      begun += message instanceof DefaultHttpRequest ? 1 : 0;
    }
    return begun;
  }
}
