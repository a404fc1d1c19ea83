package io.confab.http;

import io.confab.listener.PipelinedRequests;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one place that writes answers: headers, content, and the count of answers by status.
final class AnswerWriter {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerWriter.class);
  private static final String REQUEST_ID = "x-request-id";

  private final PendingAnswers pending;
  private final RateFields rates;
  private final Answered answered;

  /// @param pending of the event loop
  AnswerWriter(PendingAnswers pending, RateFields rates, Answered answered) {
    this.pending = pending;
    this.rates = rates;
    this.answered = answered;
  }

  /// The server's id of a request: the same at every call, in its answer and in the log. A
  /// header of that name in the request is ignored.
  static String requestId(RoutingContext context) {
    String known = context.get(REQUEST_ID);
    if (known != null) {
      return known;
    }
    String made = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    context.put(REQUEST_ID, made);
    return made;
  }

  /// Writes an answer; nothing happens when the client is gone or has its answer.
  void write(RoutingContext context, Answer answer) {
    HttpServerResponse response = context.response();
    if (response.closed() || response.ended()) {
      return;
    }
    response.setStatusCode(answer.status()).putHeader(REQUEST_ID, requestId(context));
    rates.write(context);
    switch (answer) {
      case Answer.Whole whole -> {
        if (whole.tag() != null) {
          response.putHeader(HttpHeaders.ETAG, '"' + whole.tag().value() + '"');
        }
        writeWhole(context, whole.contentType(), whole.content());
      }
      case Answer.File file -> writeFile(context, file);
      case Answer.Streamed streamed -> stream(context, streamed);
    }
    answered.answered(answer.status(), Arrival.age(context));
  }

  /// What is said of a file is said again when the caller has it: a cache takes the newer headers
  /// (RFC 9111 §4.3.4).
  private void writeFile(RoutingContext context, Answer.File answer) {
    HttpServerResponse response = context.response();
    WebFile file = answer.file();
    response
        .putHeader("content-security-policy", WebRoutes.POLICY)
        .putHeader(HttpHeaders.CACHE_CONTROL, file.cacheControl())
        .putHeader(HttpHeaders.ETAG, '"' + file.tag(answer.zipped()).value() + '"');
    if (file.hasGzip()) {
      response.headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    }
    if (answer.status() == Answer.NOT_MODIFIED) {
      response.end();
      return;
    }
    response.putHeader(HttpHeaders.CONTENT_TYPE, file.contentType());
    if (answer.zipped()) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, Gzip.NAME);
    }
    Buffer content = file.content(answer.zipped());
    write(context, content, () -> end(response, content));
  }

  private void writeWhole(RoutingContext context, String type, @Nullable Buffer content) {
    HttpServerResponse response = context.response();
    if (content == null) {
      response.end();
      return;
    }
    response.putHeader(HttpHeaders.CONTENT_TYPE, type);
    boolean compresses = compresses(context) && content.length() >= Gzip.LEAST_BYTES;
    if (compresses) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, Gzip.NAME);
    }
    if (compresses && isHead(context)) {
      response.end(); // its length, which costs the most, may be left out (RFC 9110 §9.3.2)
    } else if (compresses) {
      write(context, content, () -> zipped(context, content).compose(sent -> end(response, sent)))
          .onFailure(failure -> cutOff(context, failure));
    } else {
      write(context, content, () -> end(response, content));
    }
  }

  private static Future<Void> end(HttpServerResponse response, Buffer content) {
    return response
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length()))
        .end(content);
  }

  /// What would hold the event loop for milliseconds is compressed on a worker.
  private static Future<Buffer> zipped(RoutingContext context, Buffer content) {
    return content.length() <= Gzip.MOST_BYTES_ON_A_LOOP
        ? Future.succeededFuture(Gzip.of(content))
        : context.vertx().executeBlocking(() -> Gzip.of(content), false);
  }

  private static boolean isHead(RoutingContext context) {
    return context.request().method().equals(HttpMethod.HEAD);
  }

  /// Whether the answers of the route may be compressed and the client accepts that.
  private static boolean compresses(RoutingContext context) {
    Route route = context.currentRoute();
    if (route == null || route.getMetadata(Routes.COMPRESSED) == null) {
      return false;
    }
    context.response().headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    return Gzip.isAccepted(context.request().headers().getAll(HttpHeaders.ACCEPT_ENCODING));
  }

  private Future<Void> write(
      RoutingContext context, Buffer content, Supplier<Future<Void>> writing) {
    return pending.write(
        content.length(), () -> PipelinedRequests.cutOff(context.request().connection()), writing);
  }

  private void stream(RoutingContext context, Answer.Streamed streamed) {
    HttpServerResponse response = context.response();
    boolean compresses = compresses(context);
    response.putHeader(HttpHeaders.CONTENT_TYPE, streamed.contentType()).setChunked(true);
    if (compresses) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, Gzip.NAME);
    }
    if (isHead(context)) {
      response.end();
    } else {
      (compresses ? Gzip.of(streamed.content()) : streamed.content())
          .subscribe(
              new ContentWriter(
                  piece -> write(context, piece, () -> response.write(piece)),
                  response::end,
                  streamed.allowed(),
                  failure -> cutOff(context, failure)));
    }
  }

  private static void cutOff(RoutingContext context, Throwable failure) {
    LOG.debug("An answer ends before its end", failure);
    PipelinedRequests.cutOff(context.request().connection());
  }
}
