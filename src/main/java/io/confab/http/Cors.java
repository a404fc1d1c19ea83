package io.confab.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;

/// Lets pages of exactly the configured origins call the API from a browser (Fetch Standard
/// §3.2). They prove who they are with a token; their cookies do not come along. Pages of other
/// origins get no header, so browsers keep the answer from them.
///
/// The handler of vertx-web refuses with 403 every request with another origin, which browsers
/// also send from pages of this host, and answers preflights past the rate limit and the meters.
final class Cors implements Handler<RoutingContext> {
  private static final String METHODS = "GET, POST, PUT, PATCH, DELETE";
  private static final String REQUEST_HEADERS =
      "authorization, content-type, idempotency-key, if-match, if-none-match";
  private static final String ANSWER_HEADERS =
      "allow, date, etag, ratelimit, ratelimit-policy, retry-after, x-request-id";
  private static final String PREFLIGHT_SECONDS = "600";

  private final Set<String> allowed;

  Cors(List<String> origins) {
    this.allowed = Set.copyOf(origins);
  }

  @Override
  public void handle(RoutingContext context) {
    if (!allowed.isEmpty()) {
      HttpServerResponse response = context.response();
      response.headers().add(HttpHeaders.VARY, HttpHeaders.ORIGIN);
      List<String> origins = context.request().headers().getAll(HttpHeaders.ORIGIN);
      if (origins.size() == 1 && allowed.contains(origins.getFirst())) {
        allow(context.request(), response, origins.getFirst());
      }
    }
    context.next();
  }

  private static void allow(HttpServerRequest request, HttpServerResponse response, String origin) {
    response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    if (request.method().equals(HttpMethod.OPTIONS)) {
      response
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS)
          .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS);
    } else {
      response.putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, ANSWER_HEADERS);
    }
  }
}
