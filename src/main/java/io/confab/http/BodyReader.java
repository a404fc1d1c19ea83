package io.confab.http;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the body of a request into memory up to a bound; forms and uploads are never parsed.
/// Refusals: `too_large`, `invalid_json` for any content type but JSON.
final class BodyReader implements Handler<RoutingContext> {
  private final BodyHandler bodies;

  BodyReader(int mostBytes) {
    bodies = BodyHandler.create(false).setBodyLimit(mostBytes);
  }

  @Override
  public void handle(RoutingContext context) {
    MultiMap headers = context.request().headers();
    if (hasBody(headers) && !isJson(headers.get(HttpHeaders.CONTENT_TYPE))) {
      context.fail(new Refusal(ErrorCode.INVALID_JSON, "the body must be application/json"));
      return;
    }
    bodies.handle(context);
  }

  /// RFC 9112 §6: a request has a body when one of these headers says so.
  private static boolean hasBody(MultiMap headers) {
    String length = headers.get(HttpHeaders.CONTENT_LENGTH);
    return headers.contains(HttpHeaders.TRANSFER_ENCODING)
        || (length != null && !length.equals("0"));
  }

  private static boolean isJson(@Nullable String contentType) {
    return contentType != null
        && contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json");
  }
}
