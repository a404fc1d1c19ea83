package io.confab.http;

import io.confab.limit.EdgeLimits;
import io.confab.limit.Limit;
import io.confab.listener.ClientAddress;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The table of routes. A template is a path of vertx-web followed by the query parameters of the
/// route: `/v1/rooms/:room_id/members?after=`. Each call counts against the limit of its route and
/// against [Limit#REQUESTS].
final class Routes {
  /// Under this name each route keeps the set of its query parameters.
  static final String PARAMETERS = "parameters";

  /// Under this name each route keeps its [Limit].
  static final String LIMIT = "limit";

  private final Router router;
  private final BodyReader bodies;
  private final BodyReader bulkBodies;
  private final CallerAuthentication authentication;
  private final AnswerWriter writer;
  private final Failures failures;
  private final EdgeLimits limits;
  private final Map<String, Set<String>> methods = new LinkedHashMap<>();

  Routes(
      Router router,
      BodyReader bodies,
      BodyReader bulkBodies,
      CallerAuthentication authentication,
      AnswerWriter writer,
      Failures failures,
      EdgeLimits limits) {
    this.router = router;
    this.bodies = bodies;
    this.bulkBodies = bulkBodies;
    this.authentication = authentication;
    this.writer = writer;
    this.failures = failures;
    this.limits = limits;
  }

  /// A route for callers with any credential.
  ///
  /// @param limit counts by account, as for every route that knows the caller
  void signedIn(HttpMethod method, String template, Limit limit, Endpoint.SignedIn endpoint) {
    mount(method, template, limit, authentication::account, a -> a, endpoint::answer);
  }

  /// A route for callers with a token of any issuer; not for the server API key.
  void byToken(HttpMethod method, String template, Limit limit, Endpoint.SignedIn endpoint) {
    mount(method, template, limit, authentication::bearer, a -> a, endpoint::answer);
  }

  /// A route for callers who are signed in on a device; not for the server API key, nor for tokens
  /// that are bound to no device.
  void onDevice(HttpMethod method, String template, Limit limit, Endpoint.OnDevice endpoint) {
    mount(method, template, limit, authentication::device, Caller::account, endpoint::answer);
  }

  private <C> void mount(
      HttpMethod method,
      String template,
      Limit limit,
      Function<Call, Future<C>> identify,
      Function<C, AccountId> account,
      BiFunction<C, Call, Future<Answer>> endpoint) {
    mount(
        method,
        template,
        counting(limit, Limit.Who.ACCOUNT),
        bodies,
        call ->
            identify
                .apply(call)
                .compose(
                    caller -> {
                      limits.limits().take(limit, account.apply(caller).toString());
                      return endpoint.apply(caller, call);
                    })
                .map(answer -> answer.whileAllowed(() -> stillAllowed(identify, call))));
  }

  private static Limit counting(Limit limit, Limit.Who who) {
    if (limit.who() != who) {
      throw new IllegalArgumentException(limit + " does not count by " + who);
    }
    return limit;
  }

  /// Fails once the caller may no longer call: a long answer then stops. An access token that
  /// expires meanwhile does not stop it.
  private static Future<?> stillAllowed(Function<Call, ? extends Future<?>> identify, Call call) {
    return Future.succeededFuture(call)
        .<Object>compose(c -> identify.apply(c).map(Object.class::cast))
        .recover(
            failure ->
                failure instanceof Refusal refusal && refusal.code() == ErrorCode.TOKEN_EXPIRED
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  /// A route for server admins and the API key.
  ///
  /// @param limit counts by address
  void forAdministrators(HttpMethod method, String template, Limit limit, Endpoint endpoint) {
    mount(
        method,
        template,
        counting(limit, Limit.Who.ADDRESS),
        bodies,
        call -> administrator(limit, call).compose(_ -> endpoint.answer(call)));
  }

  /// As [#forAdministrators] with a large body, which is not read before the caller is known.
  void bulkForAdministrators(HttpMethod method, String template, Limit limit, Endpoint endpoint) {
    mount(
        method,
        template,
        counting(limit, Limit.Who.ADDRESS),
        context -> readBulk(limit, context),
        endpoint);
  }

  private void readBulk(Limit limit, RoutingContext context) {
    context.request().pause();
    Future.succeededFuture(context)
        .map(c -> admitted(c, Set.of()))
        .compose(call -> administrator(limit, call))
        .onComplete(
            _ -> {
              bulkBodies.handle(context);
              context.request().resume();
            },
            failure -> {
              failures.answer(context, failure);
              context.request().resume();
            });
  }

  private Future<Void> administrator(Limit limit, Call call) {
    return authentication
        .administrator(call)
        .map(
            _ -> {
              limits.limits().take(limit, call.address().group());
              return null;
            });
  }

  /// A route for everybody.
  ///
  /// @param limit counts by address, and only calls whose content can be read
  void open(HttpMethod method, String template, Limit limit, Endpoint.Open endpoint) {
    mount(
        method,
        template,
        counting(limit, Limit.Who.ADDRESS),
        bodies,
        call ->
            authentication
                .anybody(call)
                .map(_ -> endpoint.read(call))
                .compose(
                    work -> {
                      limits.limits().take(limit, call.address().group());
                      return work.get();
                    }));
  }

  private void mount(
      HttpMethod method,
      String template,
      Limit limit,
      Handler<RoutingContext> bodies,
      Endpoint endpoint) {
    String[] parts = template.split("\\?", 2);
    Set<String> parameters =
        parts.length == 1 ? Set.of() : Set.of(parts[1].replace("=", "").split("&"));
    Route route =
        known(method, parts[0]).putMetadata(PARAMETERS, parameters).putMetadata(LIMIT, limit);
    if (method.equals(HttpMethod.GET)) {
      known(HttpMethod.HEAD, parts[0]).handler(context -> answer(context, parameters, endpoint));
    } else {
      route.handler(bodies);
    }
    route.handler(context -> answer(context, parameters, endpoint));
  }

  private Route known(HttpMethod method, String path) {
    methods.computeIfAbsent(path, _ -> new TreeSet<>()).add(method.name());
    return router.route(method, path);
  }

  private void answer(RoutingContext context, Set<String> parameters, Endpoint endpoint) {
    Future.succeededFuture(context)
        .map(c -> admitted(c, parameters))
        .compose(endpoint::answer)
        .onComplete(
            answer -> writer.write(context, answer), failure -> failures.answer(context, failure));
  }

  /// Counts a request of its address. Refusal: `rate_limited`.
  private Call admitted(RoutingContext context, Set<String> parameters) {
    HttpServerRequest request = context.request();
    ClientAddress address =
        limits.proxies().client(request.remoteAddress().hostAddress(), request.headers()::getAll);
    limits.limits().take(Limit.REQUESTS, address.group());
    if (request.path().contains("%00")) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such path"); // nothing is called so
    }
    return new Call(context, Query.read(context, parameters), address);
  }

  /// Ends the table: answers `OPTIONS` and refuses the methods that a path does not have.
  void refuseOtherMethods() {
    methods.forEach(
        (path, known) -> {
          String allow =
              known.stream().collect(Collectors.joining(", ", "", ", " + HttpMethod.OPTIONS));
          router.route(path).handler(context -> answerOtherMethod(context, allow));
        });
  }

  private void answerOtherMethod(RoutingContext context, String allow) {
    context.response().putHeader(HttpHeaders.ALLOW, allow);
    if (context.request().method().equals(HttpMethod.OPTIONS)) {
      writer.write(context, Answer.noContent());
    } else {
      failures.wrongMethod(context);
    }
  }
}
