package io.confab.http;

import io.confab.limit.EdgeLimits;
import io.confab.limit.Limit;
import io.confab.listener.ClientAddress;
import io.confab.logging.AccessLog;
import io.confab.logging.Exchange;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/// Answers what is no request, such as a head that cannot be read, and closes its connection. It
/// counts like a request.
public final class MalformedRequests implements Handler<HttpServerRequest> {
  private final EdgeLimits limits;
  private final Optional<AccessLog> access;

  public MalformedRequests(EdgeLimits limits, Optional<AccessLog> access) {
    this.limits = limits;
    this.access = access;
  }

  @Override
  public void handle(HttpServerRequest request) {
    ClientAddress address = Arrival.client(limits, request);
    limits.limits().count(Limit.REQUESTS, address.group());
    HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
    access.ifPresent(
        log ->
            log.ended(
                Exchange.withoutBody(
                    request.method().name(),
                    AccessLog.NO_ROUTE,
                    request.response().getStatusCode(),
                    address.toString(),
                    address.group())));
  }
}
