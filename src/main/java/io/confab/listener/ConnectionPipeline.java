package io.confab.listener;

import io.confab.config.Config;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Optional;

/// Prepares connections of the public listener below Vert.x: how heads are read, how requests
/// follow each other, and what stands in every answer. Belongs to one event loop.
public final class ConnectionPipeline {
  private final Config config;
  private final HttpServerOptions options;
  private final AnswerHeaders headers;
  private final SharedBound unfinished;

  /// @param unfinishedBytes bound of what the connections of this loop leave unfinished or make
  ///     wait of requests
  public ConnectionPipeline(Config config, long unfinishedBytes) {
    this.config = config;
    this.options = PublicListener.options(config, Optional.empty());
    this.headers = new AnswerHeaders(config.http().tls());
    this.unfinished = new SharedBound(unfinishedBytes);
  }

  /// To be called for each connection when it opens.
  public void prepare(HttpConnection connection) {
    ChannelPipeline pipeline = ((ConnectionBase) connection).channelHandlerContext().pipeline();
    TlsRecords tls = pipeline.get(TlsRecords.class);
    if (tls != null) {
      tls.established();
    }
    pipeline.replace("httpDecoder", "httpDecoder", new StrictRequestDecoder(options, unfinished));
    PipelinedRequests.bound(connection, config.sockets().stallTimeout(), unfinished);
    headers.addTo(connection);
  }
}
