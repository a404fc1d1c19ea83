package io.confab.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;

/// Refuses heads of requests that others on the way may read otherwise (RFC 9112): a value that
/// goes on in the next line (§5.2), a field without a name, no `Host` or a second one (§3.2),
/// another transfer coding than `chunked` (§6.1), a control character in the target (RFC 3986 §2),
/// and versions but 1.0 and 1.1. The decoder of Netty lets these pass.
///
/// What is there of a head, or of the fields after the last chunk of a body, without its end is
/// counted against a bound that all connections of the loop share.
final class StrictRequestDecoder extends VertxHttpRequestDecoder {
  private static final int DELETE = 0x7f;

  private final SharedBound unfinished;
  private Runnable cutOff = () -> {};

  /// What is kept of a head that has not come as a whole.
  private int kept;

  private boolean passedOn;
  private boolean inHead;
  private boolean lineEnded;
  private boolean folded;

  /// @param unfinished bound of what all connections of the loop leave unfinished
  StrictRequestDecoder(HttpServerOptions options, SharedBound unfinished) {
    super(options);
    this.unfinished = unfinished;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    cutOff = ctx::close;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    super.channelReadComplete(ctx);
    if (passedOn) {
      passedOn = false;
      unfinished.holds(cutOff, 0); // what is there of the next one waits since now
    }
    if (!ctx.isRemoved()) {
      unfinished.holds(cutOff, kept + internalBuffer().capacity());
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
    super.handlerRemoved0(ctx);
    unfinished.holds(cutOff, 0);
  }

  @Override
  protected HttpMessage createMessage(String[] initialLine) {
    inHead = true;
    lineEnded = false;
    folded = false;
    return super.createMessage(initialLine);
  }

  /// A call reads from one head or from none: it ends with the head.
  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    int from = in.readerIndex();
    int before = out.size();
    super.decode(ctx, in, out);
    if (inHead) {
      lookForFolds(in, from, in.readerIndex());
    }
    if (out.size() == before) {
      kept += HeadBytes.ofLines(in, from, in.readerIndex());
    } else {
      kept = 0;
      passedOn = true;
    }
    if (out.size() > before && out.get(before) instanceof HttpRequest request) {
      if (inHead && request.decoderResult().isSuccess() && isAmbiguous(request)) {
        request
            .setProtocolVersion(HttpVersion.HTTP_1_1) // that of the answer
            .setDecoderResult(
                DecoderResult.failure(
                    new IllegalArgumentException("a head that can be read in two ways")));
      }
      inHead = false;
    }
  }

  private void lookForFolds(ByteBuf in, int from, int to) {
    for (int i = from; i < to; i++) {
      byte b = in.getByte(i);
      folded |= lineEnded && (b == ' ' || b == '\t');
      lineEnded = b == '\n';
    }
  }

  private boolean isAmbiguous(HttpRequest request) {
    HttpHeaders headers = request.headers();
    int hosts = headers.getAll(HttpHeaderNames.HOST).size();
    boolean current = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    return folded
        || request.uri().chars().anyMatch(c -> c < ' ' || c == DELETE)
        || headers.contains("")
        || hosts > 1
        || (current && hosts == 0)
        || !(current || request.protocolVersion().equals(HttpVersion.HTTP_1_0))
        || !(codings.isEmpty() || (current && isChunked(codings)));
  }

  private static boolean isChunked(List<String> codings) {
    return codings.size() == 1
        && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst());
  }
}
