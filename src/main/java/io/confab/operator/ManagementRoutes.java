package io.confab.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The routes of the management port: health, metrics, and local commands for callers on this
/// machine that know the secret.
public final class ManagementRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(ManagementRoutes.class);
  private static final int BODY_BYTES = 65_536;
  private static final String REQUEST_ID = "request_id";
  private static final String COMMAND = "/manage/:command";
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final JsonMapper json =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private final Readiness readiness;
  private final Supplier<String> metrics;
  private final Map<String, ManagementCommand> commands;
  private final byte[] authorization;

  public ManagementRoutes(
      Readiness readiness,
      Supplier<String> metrics,
      Map<String, ManagementCommand> commands,
      String secret) {
    this.readiness = readiness;
    this.metrics = metrics;
    this.commands = Map.copyOf(commands);
    this.authorization = ("Bearer " + secret).getBytes(StandardCharsets.UTF_8);
  }

  public Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    router.get("/health/live").handler(this::live);
    router.get("/health/ready").handler(this::ready);
    router.get("/metrics").handler(this::metrics);
    router.post(COMMAND).handler(this::authenticate);
    router.post(COMMAND).handler(BodyHandler.create(false).setBodyLimit(BODY_BYTES));
    router.post(COMMAND).handler(this::manage);
    router.errorHandler(404, c -> refuse(c, new Refusal(ErrorCode.NOT_FOUND, "no such path")));
    router.errorHandler(413, c -> refuse(c, new Refusal(ErrorCode.TOO_LARGE, "at most 64 KB")));
    router.errorHandler(500, c -> fail(c, c.failure()));
    return router;
  }

  private void live(RoutingContext context) {
    answer(context, 200, json.createObjectNode().put("live", true));
  }

  private void ready(RoutingContext context) {
    readiness
        .ask()
        .onSuccess(report -> answer(context, report.ready() ? 200 : 503, json.valueToTree(report)))
        .onFailure(context::fail);
  }

  /// Dependencies are asked first, as some meters show whether they answer.
  private void metrics(RoutingContext context) {
    readiness
        .ask()
        .onComplete(
            _ -> context.response().putHeader("content-type", METRICS_TYPE).end(metrics.get()));
  }

  private void authenticate(RoutingContext context) {
    byte[] given =
        Optional.ofNullable(context.request().getHeader("authorization"))
            .orElse("")
            .getBytes(StandardCharsets.UTF_8);
    if (isFromThisMachine(context.request()) && MessageDigest.isEqual(given, authorization)) {
      context.next();
    } else {
      refuse(
          context,
          new Refusal(
              ErrorCode.UNAUTHORIZED,
              "only from this machine, with the secret of management.json in the data folder"));
    }
  }

  private void manage(RoutingContext context) {
    run(context)
        .onSuccess(result -> answer(context, 200, result))
        .onFailure(cause -> fail(context, cause));
  }

  private Future<JsonNode> run(RoutingContext context) {
    return Future.succeededFuture(context.pathParam("command"))
        .compose(
            name -> {
              ManagementCommand command = commands.get(name);
              return command == null
                  ? Future.failedFuture(new Refusal(ErrorCode.NOT_FOUND, "no command " + name))
                  : command.run(body(context));
            });
  }

  private JsonNode body(RoutingContext context) {
    String text = Optional.ofNullable(context.body().asString()).orElse("");
    try {
      return text.isBlank() ? json.createObjectNode() : json.readTree(text);
    } catch (JsonProcessingException e) {
      throw new Refusal(ErrorCode.INVALID_JSON, "the body is not one JSON value");
    }
  }

  private static boolean isFromThisMachine(HttpServerRequest request) {
    String caller = request.remoteAddress().hostAddress();
    return caller.startsWith("127.")
        || caller.equals("0:0:0:0:0:0:0:1")
        || caller.equals(request.localAddress().hostAddress());
  }

  private void fail(RoutingContext context, Throwable cause) {
    if (cause instanceof Refusal refusal) {
      refuse(context, refusal);
      return;
    }
    LOG.atError()
        .addKeyValue(REQUEST_ID, requestId(context))
        .addKeyValue("path", context.normalizedPath())
        .setCause(cause)
        .log("A management request failed");
    refuse(
        context, new Refusal(ErrorCode.INTERNAL, "see the log for request " + requestId(context)));
  }

  private void refuse(RoutingContext context, Refusal refusal) {
    var error = json.createObjectNode();
    error.put("code", refusal.code().wire()).put("message", refusal.detail());
    refusal.field().ifPresent(field -> error.put("field", field));
    error.put("retryable", refusal.code().retryable()).put(REQUEST_ID, requestId(context));
    answer(context, refusal.code().httpStatus(), json.createObjectNode().set("error", error));
  }

  /// The same at every call for a request.
  private static String requestId(RoutingContext context) {
    String known = context.get(REQUEST_ID);
    if (known != null) {
      return known;
    }
    String made = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    context.put(REQUEST_ID, made);
    return made;
  }

  private static void answer(RoutingContext context, int status, JsonNode body) {
    context
        .response()
        .setStatusCode(status)
        .putHeader("content-type", "application/json")
        .end(body.toString());
  }
}
