package io.confab.http;

import io.confab.bus.Bus;
import io.confab.config.Config;
import io.confab.limit.EdgeLimits;
import io.confab.message.MessageRequests;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.IntConsumer;

/// The public JSON API: every route under `/v1` but the socket.
///
/// One for each event loop that listens; its router is the request handler of a server made
/// with [io.confab.listener.PublicListener] options.
public final class HttpApi {
  private static final int NO_ROUTE = 404;

  private final Router router;

  /// @param answered receives the HTTP status of every answer, on the event loop
  public HttpApi(
      Vertx vertx,
      Bus bus,
      Config config,
      EdgeLimits limits,
      MessageRequests messages,
      IntConsumer answered) {
    AnswerWriter writer = new AnswerWriter(answered);
    Failures failures = new Failures(writer);
    router = Router.router(vertx);
    router.route().handler(new Cors(config.http().corsOrigins()));
    router.route().handler(HttpApi::requireDecodablePath).failureHandler(failures);
    router.errorHandler(NO_ROUTE, failures);
    Routes routes =
        new Routes(
            router,
            new BodyReader(config.limits().requestBytes()),
            new BodyReader(config.limits().bulkRequestBytes()),
            new CallerAuthentication(bus, config.apiKey()),
            writer,
            failures,
            limits);
    new AccountRoutes(bus).mount(routes);
    new TokenRoutes(
            bus,
            new RefreshCookie(config.accounts().refreshTokenTtl(), config.http().tls().mode()),
            limits.signIns())
        .mount(routes);
    new OwnRoutes(bus, limits).mount(routes);
    new AdministrationRoutes(bus).mount(routes);
    new RoomRoutes(bus, config.limits().membersPerCall()).mount(routes);
    new ModerationRoutes(bus).mount(routes);
    new InviteRoutes(bus).mount(routes);
    new HistoryRoutes(bus).mount(routes);
    new MessageRoutes(bus, config.limits().bodyBytes(), messages).mount(routes);
    routes.refuseOtherMethods();
  }

  /// Stands before all routes with a path: an undecodable path fails while vertx-web matches such
  /// a route, where no handler sees the failure.
  private static void requireDecodablePath(RoutingContext context) {
    try {
      context.normalizedPath();
    } catch (IllegalArgumentException _) {
      context.fail(new Refusal(ErrorCode.NOT_FOUND, "no such path"));
      return;
    }
    context.next();
  }

  /// The router; it answers unknown paths with `not_found`.
  public Router router() {
    return router;
  }
}
