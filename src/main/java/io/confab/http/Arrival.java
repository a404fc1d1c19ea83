package io.confab.http;

import io.confab.limit.EdgeLimits;
import io.confab.limit.Limit;
import io.confab.listener.ClientAddress;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;

/// Stands before all routes: counts every request against [Limit#REQUESTS] of its address,
/// whatever becomes of it, and refuses those whose path or query cannot be read in one way only.
final class Arrival implements Handler<RoutingContext> {
  private static final String ADDRESS = "address";
  private static final String BEGAN = "began";

  private final EdgeLimits limits;

  Arrival(EdgeLimits limits) {
    this.limits = limits;
  }

  /// The client's address, of a request that has passed.
  static ClientAddress address(RoutingContext context) {
    return context.get(ADDRESS);
  }

  /// The client's address.
  static ClientAddress client(EdgeLimits limits, HttpServerRequest request) {
    return limits
        .proxies()
        .client(request.remoteAddress().hostAddress(), request.headers()::getAll);
  }

  /// How long ago a request came, in nanoseconds.
  static long age(RoutingContext context) {
    Long began = context.get(BEGAN);
    return began == null ? 0 : System.nanoTime() - began;
  }

  @Override
  public void handle(RoutingContext context) {
    context.put(BEGAN, System.nanoTime());
    HttpServerRequest request = context.request();
    try {
      ClientAddress address = client(limits, request);
      context.put(ADDRESS, address);
      RateFields.counts(context, Limit.REQUESTS, address.group());
      limits.limits().take(Limit.REQUESTS, address.group());
      requirePlainPath(context);
      requireDecodableQuery(context);
    } catch (Refusal refusal) {
      context.fail(refusal);
      return;
    }
    context.next();
  }

  /// Refuses a path that is another once it is normalized (RFC 3986 §6.2.2), so that nobody reads
  /// a path as a rule of a proxy in front did not, and one that nothing can be called by.
  private static void requirePlainPath(RoutingContext context) {
    String path = context.request().path();
    boolean ends = path.endsWith("/") && path.length() > 1;
    if (!path.equals(normalized(context)) || ends || path.contains("%00")) {
      throw noSuchPath();
    }
  }

  private static String normalized(RoutingContext context) {
    try {
      return context.normalizedPath();
    } catch (IllegalArgumentException _) {
      throw noSuchPath();
    }
  }

  /// Vertx-web decodes the query while it matches a route, where no handler sees that it fails.
  private static void requireDecodableQuery(RoutingContext context) {
    try {
      context.queryParams();
      context.request().params();
    } catch (HttpException | IllegalArgumentException _) {
      throw new Refusal(ErrorCode.INVALID_FIELD, "the query cannot be decoded");
    }
  }

  private static Refusal noSuchPath() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such path");
  }
}
