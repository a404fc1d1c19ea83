package io.confab.listener;

import io.confab.config.Config;
import io.confab.config.TlsMode;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Adds headers to every answer that does not set them itself: when it was made, that nobody stores
/// it, that a browser takes it for nothing but its content type (OWASP Secure Headers), and when to
/// come back after a refusal that is for now only.
///
/// It stands in the pipeline below Vert.x, so that it also sees the answers that Vert.x gives by
/// itself: to bytes that are not HTTP, and to a refused upgrade.
@Sharable
public final class AnswerHeaders extends ChannelOutboundHandlerAdapter {
  private static final String YEAR = "max-age=31536000";
  private static final Map<String, String> ALWAYS =
      Map.of(
          "cache-control", "no-store",
          "content-security-policy", "default-src 'none'; frame-ancestors 'none'",
          "cross-origin-opener-policy", "same-origin",
          "cross-origin-resource-policy", "same-origin",
          "referrer-policy", "no-referrer",
          "x-content-type-options", "nosniff",
          "x-frame-options", "DENY");

  /// Those that say "not now" (RFC 9110 §10.2.3, RFC 6585 §4).
  private static final Set<HttpResponseStatus> FOR_NOW =
      Set.of(HttpResponseStatus.TOO_MANY_REQUESTS, HttpResponseStatus.SERVICE_UNAVAILABLE);

  private static final String RETRY_SECONDS = "1";

  private final Map<String, String> headers = new TreeMap<>(ALWAYS);
  private final AnswerDate date = new AnswerDate(InstantSource.system());

  /// Headers of a listener for this machine and for monitoring only.
  public AnswerHeaders() {}

  /// Headers of the public listener. Browsers obey `strict-transport-security` only over TLS (RFC
  /// 6797 §8.1), also where a proxy speaks it.
  public AnswerHeaders(Config.ListenerTls tls) {
    if (tls.mode() != TlsMode.NONE) {
      headers.put("strict-transport-security", YEAR);
    }
  }

  /// To be called for each connection when it opens.
  public void addTo(HttpConnection connection) {
    ((ConnectionBase) connection)
        .channelHandlerContext()
        .pipeline()
        .addBefore("handler", "answerHeaders", this);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise)
      throws Exception {
    if (message instanceof HttpResponse response
        && !response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)
        && !response.status().equals(HttpResponseStatus.CONTINUE)) {
      HttpHeaders known = response.headers();
      headers.forEach((name, value) -> add(known, name, value));
      add(known, HttpHeaderNames.DATE, date.now());
      if (FOR_NOW.contains(response.status())) {
        add(known, HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS);
      }
    }
    super.write(ctx, message, promise);
  }

  private static void add(HttpHeaders headers, CharSequence name, String value) {
    if (!headers.contains(name)) {
      headers.set(name, value);
    }
  }
}
