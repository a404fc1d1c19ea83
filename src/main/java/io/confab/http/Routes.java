package io.confab.http;

import io.confab.config.Config;
import io.confab.limit.Budget;
import io.confab.limit.Limit;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The table of routes. A template is a path of vertx-web followed by the query parameters of the
/// route: `/v1/rooms/:room_id/members?after=`. Each call counts against the limit of its route.
final class Routes {
  /// Under this name each route keeps the set of its query parameters.
  static final String PARAMETERS = "parameters";

  /// Under this name each route keeps its [Limit].
  static final String LIMIT = "limit";

  /// Under this name the routes stand whose answers may be compressed.
  static final String COMPRESSED = "compressed";

  /// Strangers have no more to say: a sign-up with the longest names and password.
  private static final int OPEN_BODY_BYTES = 4_096;

  private final Router router;
  private final BodyReader openBodies;
  private final BodyReader bodies;
  private final BodyReader bulkBodies;
  private final Admissions admissions;
  private final AnswerWriter writer;
  private final Failures failures;
  private final SecurityWatch watch;
  private final Map<String, Set<String>> methods = new LinkedHashMap<>();

  /// @param held what the bodies of requests may hold
  Routes(
      Router router,
      Config.Limits bounds,
      Budget held,
      Admissions admissions,
      AnswerWriter writer,
      Failures failures,
      SecurityWatch watch) {
    this.router = router;
    this.openBodies = new BodyReader(OPEN_BODY_BYTES, held);
    this.bodies = new BodyReader(bounds.requestBytes(), held);
    this.bulkBodies = new BodyReader(bounds.bulkRequestBytes(), held);
    this.admissions = admissions;
    this.writer = writer;
    this.failures = failures;
    this.watch = watch;
  }

  /// A route for callers with any credential.
  ///
  /// @param limit counts by account, as for every route that knows the caller
  void signedIn(HttpMethod method, String template, Limit limit, Endpoint.SignedIn endpoint) {
    mount(method, template, limit, bodies, admissions.signedIn(limit, endpoint));
  }

  /// As [#signedIn], and answers are compressed for clients that accept it. Only for answers
  /// without tokens, codes and other secrets, which their sizes would give away (BREACH).
  void compressed(HttpMethod method, String template, Limit limit, Endpoint.SignedIn endpoint) {
    mount(method, template, limit, bodies, admissions.signedIn(limit, endpoint))
        .forEach(route -> route.putMetadata(COMPRESSED, true));
  }

  /// A route for callers with a token of any issuer; not for the server API key.
  void byToken(HttpMethod method, String template, Limit limit, Endpoint.SignedIn endpoint) {
    mount(method, template, limit, bodies, admissions.byToken(limit, endpoint));
  }

  /// A route for callers who are signed in on a device; not for the server API key, nor for tokens
  /// that are bound to no device.
  void onDevice(HttpMethod method, String template, Limit limit, Endpoint.OnDevice endpoint) {
    mount(method, template, limit, bodies, admissions.onDevice(limit, endpoint));
  }

  /// As [#onDevice] for what concerns the sign-in itself.
  void bySignIn(HttpMethod method, String template, Limit limit, Endpoint.BySignIn endpoint) {
    mount(method, template, limit, bodies, admissions.bySignIn(limit, endpoint));
  }

  /// As [#onDevice] with a large body.
  void bulkOnDevice(HttpMethod method, String template, Limit limit, Endpoint.OnDevice endpoint) {
    mount(method, template, limit, bulkBodies, admissions.onDevice(limit, endpoint));
  }

  /// A route for server admins and the API key.
  ///
  /// @param limit counts by address
  void forAdministrators(HttpMethod method, String template, Limit limit, Endpoint endpoint) {
    mount(method, template, limit, bodies, admissions.administrators(limit, endpoint));
  }

  /// As [#forAdministrators] with a large body.
  void bulkForAdministrators(HttpMethod method, String template, Limit limit, Endpoint endpoint) {
    mount(method, template, limit, bulkBodies, admissions.administrators(limit, endpoint));
  }

  /// A route for the API key alone.
  ///
  /// @param limit counts by address
  void forBackends(HttpMethod method, String template, Limit limit, Endpoint endpoint) {
    mount(method, template, limit, bodies, admissions.backends(limit, endpoint));
  }

  /// A route for everybody, with a small body.
  ///
  /// @param limit counts by address, and only calls whose content can be read
  void open(HttpMethod method, String template, Limit limit, Endpoint.Open endpoint) {
    mount(method, template, limit, openBodies, admissions.everybody(limit, endpoint));
  }

  /// What browsers load, for everybody: nothing but its request is counted. Links to it may carry
  /// any query.
  void page(String path, Limit limit, Endpoint endpoint) {
    mount(
        HttpMethod.GET,
        path,
        Set.of(),
        limit,
        context ->
            answer(context, _ -> Query.UNREAD, openBodies, _ -> Future.succeededFuture(endpoint)));
  }

  private List<Route> mount(
      HttpMethod method,
      String template,
      Limit limit,
      BodyReader bodies,
      Admissions.Admission admission) {
    String[] parts = template.split("\\?", 2);
    Set<String> parameters =
        parts.length == 1 ? Set.of() : Set.of(parts[1].replace("=", "").split("&"));
    return mount(
        method,
        parts[0],
        parameters,
        limit,
        context -> answer(context, c -> Query.read(c, parameters), bodies, admission));
  }

  private List<Route> mount(
      HttpMethod method,
      String path,
      Set<String> parameters,
      Limit limit,
      Handler<RoutingContext> handler) {
    Route route =
        known(method, path)
            .putMetadata(PARAMETERS, parameters)
            .putMetadata(LIMIT, limit)
            .handler(handler);
    return method.equals(HttpMethod.GET)
        ? List.of(route, known(HttpMethod.HEAD, path).handler(handler))
        : List.of(route);
  }

  private Route known(HttpMethod method, String path) {
    methods.computeIfAbsent(path, _ -> new TreeSet<>()).add(method.name());
    return router.route(method, path);
  }

  /// Nothing of the body is read before the caller is admitted; what is not read then is thrown
  /// away as it comes.
  private void answer(
      RoutingContext context,
      Function<RoutingContext, Query> query,
      BodyReader bodies,
      Admissions.Admission admission) {
    context.request().pause();
    Future.succeededFuture(context)
        .map(c -> new Call(c, query.apply(c), Arrival.address(c), Buffer.buffer()))
        .compose(
            call ->
                admission
                    .admit(call)
                    .compose(
                        endpoint ->
                            bodies
                                .read(context, call.address().group())
                                .compose(body -> endpoint.answer(call.with(body)))))
        .onComplete(
            answer -> {
              watch.ended(context, null);
              writer.write(context, answer);
            },
            failure -> {
              watch.ended(context, failure);
              failures.answer(context, failure);
              context.request().resume();
            });
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
      failures.answer(
          context, new Refusal(ErrorCode.METHOD_NOT_ALLOWED, "the path does not have this method"));
    }
  }
}
