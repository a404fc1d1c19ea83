package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import java.time.Duration;

/// Reads an error of a server; it has the same form over HTTP and on the socket.
final class ApiErrors {
  private static final int SERVER_ERROR = 500;

  private ApiErrors() {}

  /// @param status of HTTP; 0 on the socket
  static ApiException read(JsonNode error, int status) {
    boolean serversFault = status >= SERVER_ERROR;
    ErrorCode otherwise = serversFault ? ErrorCode.UNAVAILABLE : ErrorCode.INTERNAL;
    JsonNode retryAfter = error.path("retry_after_ms");
    return new ApiException(
            error.path("code").asText(otherwise.wire()),
            error.has("field") ? error.path("field").asText() : null,
            error.path("message").asText("status " + status),
            status,
            error.path("retryable").asBoolean(serversFault),
            retryAfter.isIntegralNumber() ? Duration.ofMillis(retryAfter.longValue()) : null)
        .naming(ClientJson.list(error, "devices", PresentDevice.class));
  }
}
