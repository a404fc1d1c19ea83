package io.confab.http;

import io.confab.limit.EdgeLimits;
import io.confab.limit.Limit;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/// Answers what is no request, such as a head that cannot be read, and closes its connection. It
/// counts like a request.
public final class MalformedRequests implements Handler<HttpServerRequest> {
  private final EdgeLimits limits;

  public MalformedRequests(EdgeLimits limits) {
    this.limits = limits;
  }

  @Override
  public void handle(HttpServerRequest request) {
    limits.limits().count(Limit.REQUESTS, Arrival.client(limits, request).group());
    HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
  }
}
