package io.confab.http;

import io.confab.limit.Budget;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;

/// Reads the bodies of requests into memory, each up to a bound and all out of one budget.
///
/// The handler of vertx-web bounds each body alone: strangers who send many at once and leave them
/// unfinished would fill the memory.
final class BodyReader {
  private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  /// A compressed body can have any size once it is read.
  private static final String IDENTITY = "identity";

  private final int mostBytes;
  private final Budget budget;

  /// @param budget by [io.confab.listener.ClientAddress#group]
  BodyReader(int mostBytes, Budget budget) {
    this.mostBytes = mostBytes;
    this.budget = budget;
  }

  /// Reads the body of a paused request; that of a `GET` has no meaning (RFC 9110 §9.3.1) and is
  /// thrown away. Its bytes count until the request is answered.
  /// Refusals: `unsupported_media_type` for anything but plain JSON, `invalid_json` where the body
  /// breaks off, `too_large`, `unavailable` where the budget does not suffice.
  Future<Buffer> read(RoutingContext context, String who) {
    HttpServerRequest request = context.request();
    if (READS.contains(request.method())) {
      request.resume();
      return Future.succeededFuture(Buffer.buffer());
    }
    if (hasBody(request.headers())) {
      requireReadable(request);
    }
    if (context.response().closed()) {
      throw Refusal.unavailable("the client is gone"); // nobody would give back what it takes
    }
    Body body = new Body(who);
    context.addEndHandler(_ -> body.release());
    request.handler(body::add).endHandler(_ -> body.ended()).exceptionHandler(body::failed);
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))
        && request.version() == HttpVersion.HTTP_1_1) {
      request.response().writeContinue();
    }
    request.resume();
    return body.whole.future();
  }

  private void requireReadable(HttpServerRequest request) {
    MultiMap headers = request.headers();
    if (!isJson(headers.getAll(HttpHeaders.CONTENT_TYPE))
        || !headers.getAll(HttpHeaders.CONTENT_ENCODING).stream().allMatch(IDENTITY::equals)) {
      throw new Refusal(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json, not compressed");
    }
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null && Long.parseLong(length) > mostBytes) {
      throw tooLarge();
    }
  }

  /// RFC 9112 §6: a request has a body when one of these headers says so.
  private static boolean hasBody(MultiMap headers) {
    String length = headers.get(HttpHeaders.CONTENT_LENGTH);
    return headers.contains(HttpHeaders.TRANSFER_ENCODING)
        || (length != null && !length.equals("0"));
  }

  private static boolean isJson(List<String> contentTypes) {
    return contentTypes.size() == 1
        && contentTypes.getFirst().split(";", 2)[0].strip().equalsIgnoreCase("application/json");
  }

  private static Refusal tooLarge() {
    return new Refusal(ErrorCode.TOO_LARGE, "the body is too large");
  }

  /// What has come of one body. Once it is refused, the rest of it is thrown away.
  private final class Body {
    private final String who;
    private final Promise<Buffer> whole = Promise.promise();
    private Buffer bytes = Buffer.buffer();
    private int counted;

    Body(String who) {
      this.who = who;
    }

    void add(Buffer piece) {
      if (whole.future().isComplete()) {
        return;
      }
      if (counted + piece.length() > mostBytes) {
        refuse(tooLarge());
      } else if (!budget.take(who, piece.length())) {
        refuse(Refusal.unavailable("too many bodies are on their way"));
      } else {
        counted += piece.length();
        bytes.appendBuffer(piece);
      }
    }

    private void refuse(Refusal refusal) {
      bytes = Buffer.buffer();
      whole.fail(refusal);
    }

    void ended() {
      whole.tryComplete(bytes);
    }

    /// The connection is lost, or what it carried is no HTTP.
    void failed(Throwable failure) {
      whole.tryFail(new Refusal(ErrorCode.INVALID_JSON, "the body breaks off"));
    }

    void release() {
      budget.release(who, counted);
      counted = 0;
    }
  }
}
