package io.confab.http;

import io.confab.limit.EdgeLimits;
import io.confab.listener.ClientAddress;
import io.confab.logging.AccessLog;
import io.confab.logging.Exchange;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/// Stands before all routes where there is an access log, and tells it of each request when its
/// answer has ended, or its connection.
final class AccessWatch implements Handler<RoutingContext> {
  /// The client was gone before its answer; the number that nginx made common for that.
  private static final int GAVE_UP = 499;

  private final AccessLog log;
  private final EdgeLimits limits;

  AccessWatch(AccessLog log, EdgeLimits limits) {
    this.log = log;
    this.limits = limits;
  }

  @Override
  public void handle(RoutingContext context) {
    context.addEndHandler(_ -> ended(context));
    context.next();
  }

  private void ended(RoutingContext context) {
    HttpServerResponse response = context.response();
    ClientAddress address = Arrival.client(limits, context.request());
    log.ended(
        new Exchange(
            context.request().method().name(),
            route(context),
            response.ended() ? response.getStatusCode() : GAVE_UP,
            response.bytesWritten(),
            Arrival.age(context),
            address.toString(),
            address.group(),
            SecurityWatch.callerOf(context),
            Failures.refused(context).map(ErrorCode::wire),
            Optional.of(AnswerWriter.requestId(context))));
  }

  private static String route(RoutingContext context) {
    return Optional.ofNullable(context.currentRoute())
        .map(Route::getPath)
        .orElse(AccessLog.NO_ROUTE);
  }
}
