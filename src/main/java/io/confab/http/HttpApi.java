package io.confab.http;

import io.confab.account.ApiKeyId;
import io.confab.account.Passwords;
import io.confab.bus.Bus;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.limit.EdgeLimits;
import io.confab.message.MessageRequests;
import io.confab.message.Seating;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;

/// The public JSON API, which is every route under `/v1` but the socket, and the web client at `/`.
///
/// One for each event loop that listens; its router is the request handler of a server made
/// with [io.confab.listener.PublicListener] options.
public final class HttpApi {
  private static final int NOT_ROUTABLE = 400;
  private static final int NO_ROUTE = 404;
  private static final int ROUTING_FAILED = 500;

  private final Router router;

  /// @param watch hears of the answers, on the event loop
  public HttpApi(
      Vertx vertx,
      Bus bus,
      Config config,
      EdgeLimits limits,
      MessageRequests messages,
      Seating seating,
      Passwords hashes,
      AnswerWatch watch) {
    AnswerWriter writer =
        new AnswerWriter(
            new PendingAnswers(pendingBytes(config)),
            new RateFields(limits.limits()),
            watch.answered());
    Failures failures = new Failures(writer);
    router = Router.router(vertx);
    watch.access().ifPresent(log -> router.route().handler(new AccessWatch(log, limits)));
    router.route().handler(new Cors(config.http().corsOrigins()));
    router.route().handler(new Arrival(limits)).failureHandler(failures);
    router.errorHandler(NO_ROUTE, failures);
    router.errorHandler(NOT_ROUTABLE, failures);
    router.errorHandler(ROUTING_FAILED, failures);
    Routes routes =
        new Routes(
            router,
            config.limits(),
            limits.bodies(),
            new Admissions(new CallerAuthentication(bus, config.apiKey()), limits),
            writer,
            failures,
            new SecurityWatch(watch.security()));
    new WebRoutes(WebFiles.ofTheJar()).mount(routes);
    PasswordCalls passwords = new PasswordCalls(bus, hashes, limits.signIns(), config.accounts());
    new AccountRoutes(bus, passwords).mount(routes);
    new TokenRoutes(
            bus,
            new RefreshCookie(config.accounts().refreshTokenTtl(), config.http().tls().mode()),
            passwords)
        .mount(routes);
    KeyedCalls keyed = new KeyedCalls(bus);
    new OwnRoutes(bus, limits.limits(), passwords).mount(routes);
    new KeyRoutes(bus, limits.limits(), config.keys()).mount(routes);
    new PresenceRoutes(bus).mount(routes);
    new AdministrationRoutes(bus, keyed, passwords, ApiKeyId.of(config.apiKey())).mount(routes);
    new RoomRoutes(bus, limits.limits(), keyed, config.limits().membersPerCall()).mount(routes);
    new SeatRoutes(bus).mount(routes);
    new ModerationRoutes(bus).mount(routes);
    new InviteRoutes(bus, keyed).mount(routes);
    new InvitationRoutes(bus).mount(routes);
    new MarkerRoutes(bus, seating).mount(routes);
    new HistoryRoutes(bus, seating, mostExports(config)).mount(routes);
    new MessageRoutes(bus, config.limits().bodyBytes(), messages, seating).mount(routes);
    new EnvelopeRoutes(bus, messages).mount(routes);
    new QueueRoutes(bus).mount(routes);
    routes.refuseOtherMethods();
  }

  private static int mostExports(Config config) {
    return Math.toIntExact(Math.max(1, pendingBytes(config) / Export.BYTES));
  }

  private static long pendingBytes(Config config) {
    return MemoryShares.ofProcess().answers() / config.http().loops();
  }

  /// The router; it answers unknown paths with `not_found`.
  public Router router() {
    return router;
  }
}
