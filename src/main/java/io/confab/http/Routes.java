package io.confab.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The table of routes. A template is a path of vertx-web followed by the query parameters that
/// the route knows: `/v1/rooms/:room_id/members?after=`.
final class Routes {
  /// Under this name each route keeps the set of its query parameters.
  static final String PARAMETERS = "parameters";

  private final Router router;
  private final BodyReader bodies;
  private final Authentication authentication;
  private final AnswerWriter writer;
  private final Failures failures;
  private final Map<String, Set<String>> methods = new LinkedHashMap<>();

  Routes(
      Router router,
      BodyReader bodies,
      Authentication authentication,
      AnswerWriter writer,
      Failures failures) {
    this.router = router;
    this.bodies = bodies;
    this.authentication = authentication;
    this.writer = writer;
    this.failures = failures;
  }

  /// A route for callers who are known, in whatever way.
  void signedIn(HttpMethod method, String template, Endpoint.SignedIn endpoint) {
    open(
        method,
        template,
        call ->
            authentication
                .account(call.authorization())
                .compose(caller -> endpoint.answer(caller, call)));
  }

  /// A route for callers who are signed in on a device: it concerns that device, or what ends
  /// sign-ins.
  void onDevice(HttpMethod method, String template, Endpoint.OnDevice endpoint) {
    open(
        method,
        template,
        call ->
            authentication
                .caller(call.authorization())
                .compose(caller -> endpoint.answer(caller, call)));
  }

  /// A route for everybody.
  void open(HttpMethod method, String template, Endpoint endpoint) {
    String[] parts = template.split("\\?", 2);
    Set<String> parameters =
        parts.length == 1 ? Set.of() : Set.of(parts[1].replace("=", "").split("&"));
    Route route = known(method, parts[0]).putMetadata(PARAMETERS, parameters);
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
        .map(c -> new Call(c, Query.read(c, parameters)))
        .compose(endpoint::answer)
        .onComplete(
            answer -> writer.write(context, answer), failure -> failures.answer(context, failure));
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
