package io.confab.listener;

import io.confab.config.Config;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Optional;

/// Prepares connections of the public listener below Vert.x: how heads are read, how requests
/// follow each other, and what stands in every answer.
public final class ConnectionPipeline {
  private final Config config;
  private final HttpServerOptions options;
  private final AnswerHeaders headers;

  public ConnectionPipeline(Config config) {
    this.config = config;
    this.options = PublicListener.options(config, Optional.empty());
    this.headers = new AnswerHeaders(config.http().tls());
  }

  /// To be called for each connection when it opens.
  public void prepare(HttpConnection connection) {
    ((ConnectionBase) connection)
        .channelHandlerContext()
        .pipeline()
        .replace("httpDecoder", "httpDecoder", new StrictRequestDecoder(options));
    PipelinedRequests.bound(connection, config.sockets().stallTimeout());
    headers.addTo(connection);
  }
}
