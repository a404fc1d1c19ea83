package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.TextRules;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Which messages may be written on a socket: a frame that is too long ends the connection for
/// good, and half a surrogate pair would arrive as something else.
///
/// @param bodyBytes of UTF-8
/// @param frameBytes of the whole frame as JSON, where a character may take six
record SendLimits(int bodyBytes, int frameBytes) {
  private static final int USUAL_BODY_BYTES = 16_384;
  private static final int USUAL_FRAME_BYTES = 65_536;

  /// The limits before a server has named its own.
  static SendLimits usual() {
    return new SendLimits(USUAL_BODY_BYTES, USUAL_FRAME_BYTES);
  }

  /// @param limits of `welcome`
  static SendLimits read(JsonNode limits) {
    return new SendLimits(
        limits.path("body_bytes").asInt(USUAL_BODY_BYTES),
        limits.path("frame_bytes").asInt(USUAL_FRAME_BYTES));
  }

  /// Why the message must not be written; empty when it may be.
  Optional<ApiException> objection(Outgoing message) {
    return halfPair("body", message.body())
        .or(() -> message.topic() == null ? Optional.empty() : halfPair("topic", message.topic()))
        .or(() -> tooLarge(message));
  }

  /// `invalid_field` for text that cannot be written as UTF-8 unaltered.
  static Optional<ApiException> halfPair(String field, String text) {
    return TextRules.isWhole(text)
        ? Optional.empty()
        : Optional.of(
            ApiException.ofField(ErrorCode.INVALID_FIELD, field, "holds half a surrogate pair"));
  }

  private Optional<ApiException> tooLarge(Outgoing message) {
    if (bytes(message.body()) > bodyBytes) {
      return Optional.of(
          ApiException.ofField(ErrorCode.TOO_LARGE, "body", "at most " + bodyBytes + " bytes"));
    }
    return bytes(message.frame().toString()) > frameBytes
        ? Optional.of(
            ApiException.local(
                ErrorCode.TOO_LARGE.wire(), "at most " + frameBytes + " bytes as JSON"))
        : Optional.empty();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
