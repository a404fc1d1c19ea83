package io.confab.http;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.Refusal;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one place that turns the failure of a request into its answer. A refusal is answered as it
/// is; anything else is a bug: logged once, answered `internal` without details.
final class Failures implements Handler<RoutingContext> {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
  private static final String PROBLEM = "application/problem+json";
  private static final int BAD_REQUEST = 400;
  private static final int SERVER_ERROR = 500;
  private static final String REQUEST_ID = "request_id";
  private static final String REFUSED = "refused";

  private final AnswerWriter writer;

  Failures(AnswerWriter writer) {
    this.writer = writer;
  }

  /// Answers a failure that the router itself found.
  @Override
  public void handle(RoutingContext context) {
    Throwable failure = context.failure();
    answer(
        context,
        failure instanceof Refusal || (failure != null && context.statusCode() >= SERVER_ERROR)
            ? failure
            : refusalOf(context.statusCode()));
  }

  private static Refusal refusalOf(int status) {
    if (status == ErrorCode.NOT_FOUND.httpStatus()) {
      return new Refusal(ErrorCode.NOT_FOUND, "no such path");
    }
    if (status == ErrorCode.TOO_LARGE.httpStatus()) {
      return new Refusal(ErrorCode.TOO_LARGE, "the body is too large");
    }
    if (status >= BAD_REQUEST && status < SERVER_ERROR) {
      return new Refusal(ErrorCode.INVALID_FIELD, "the request is malformed");
    }
    return new Refusal(ErrorCode.INTERNAL, "an error of the server");
  }

  /// Answers a failed request.
  void answer(RoutingContext context, Throwable failure) {
    if (context.response().closed()) {
      return;
    }
    Refusal refusal = refusalOf(context, failure);
    writeHeaders(context, refusal);
    context.put(REFUSED, refusal.code());
    writer.write(context, answer(context, refusal));
  }

  private static Answer answer(RoutingContext context, Refusal refusal) {
    Fault fault = fault(context, refusal);
    int status = refusal.code().httpStatus();
    if (wantsProblem(context.request().headers().getAll(HttpHeaders.ACCEPT))) {
      context.response().headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
      String title = context.response().setStatusCode(status).getStatusMessage();
      return Answer.of(status, PROBLEM, Problem.of(title, fault));
    }
    return Answer.of(status, new ErrorContent(fault));
  }

  /// Who asks for problems by name, and not rather for plain JSON.
  private static boolean wantsProblem(List<String> accept) {
    double asked = Accepted.weight(accept, PROBLEM).orElse(0);
    return asked > 0 && asked >= Accepted.weight(accept, Answer.JSON).orElse(0);
  }

  /// The code with which a request was refused, if it was.
  static Optional<ErrorCode> refused(RoutingContext context) {
    return Optional.ofNullable(context.get(REFUSED));
  }

  private static Refusal refusalOf(RoutingContext context, Throwable failure) {
    String requestId = AnswerWriter.requestId(context);
    if (failure instanceof Refusal refusal) {
      if (refusal.code() == ErrorCode.INTERNAL) {
        LOG.atWarn().addKeyValue(REQUEST_ID, requestId).log("A request met {}", refusal.detail());
      }
      return refusal;
    }
    LOG.atError().addKeyValue(REQUEST_ID, requestId).setCause(failure).log("A request failed");
    return new Refusal(ErrorCode.INTERNAL, "an error of the server");
  }

  private static void writeHeaders(RoutingContext context, Refusal refusal) {
    HttpServerResponse response = context.response();
    if (refusal.code().httpStatus() == ErrorCode.UNAUTHORIZED.httpStatus()) {
      response.putHeader("www-authenticate", "Bearer");
    }
    if (refusal.code() == ErrorCode.UNSUPPORTED_MEDIA_TYPE) { // RFC 9110 §15.5.16
      response
          .putHeader(HttpHeaders.ACCEPT, "application/json")
          .putHeader(HttpHeaders.ACCEPT_ENCODING, "identity");
    }
    refusal
        .retryAfter()
        .ifPresent(
            after ->
                response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(wholeSeconds(after))));
  }

  /// Rounded up: a client that comes back at that time must not be early.
  private static long wholeSeconds(Duration duration) {
    return duration.plusSeconds(1).minusNanos(1).toSeconds();
  }

  private static Fault fault(RoutingContext context, Refusal refusal) {
    return new Fault(
        refusal.code(),
        refusal.detail(),
        refusal.field().orElse(null),
        refusal.code().retryable(),
        refusal.retryAfter().map(Duration::toMillis).orElse(null),
        refusal.devices().orElse(null),
        AnswerWriter.requestId(context));
  }

  record ErrorContent(Fault error) {}

  record Fault(
      ErrorCode code,
      String message,
      @Nullable String field,
      boolean retryable,
      @Nullable Long retryAfterMs,
      @Nullable List<PresentDevice> devices,
      String requestId) {}

  /// The same as a problem (RFC 9457), whose `type` is no more than its status; the other members
  /// of the fault stand beside.
  record Problem(
      String type,
      String title,
      int status,
      String detail,
      ErrorCode code,
      @Nullable String field,
      boolean retryable,
      @Nullable Long retryAfterMs,
      @Nullable List<PresentDevice> devices,
      String requestId) {
    static Problem of(String title, Fault fault) {
      return new Problem(
          "about:blank",
          title,
          fault.code().httpStatus(),
          fault.message(),
          fault.code(),
          fault.field(),
          fault.retryable(),
          fault.retryAfterMs(),
          fault.devices(),
          fault.requestId());
    }
  }
}
