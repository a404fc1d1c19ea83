package io.confab.bus;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// Refusals on the bus, where of a failure only a number and a text cross: the text is
/// `code|retry_after_ms|field|detail`.
final class BusFailure {
  private static final int REFUSED = 1;

  private BusFailure() {}

  static void fail(Message<?> message, Refusal refusal) {
    String retryAfter = refusal.retryAfter().map(d -> Long.toString(d.toMillis())).orElse("");
    message.fail(
        REFUSED,
        refusal.code().name()
            + "|"
            + retryAfter
            + "|"
            + refusal.field().orElse("")
            + "|"
            + refusal.detail());
  }

  /// The refusal that the caller gets for a handler's failure. A bug gets a number, which leads
  /// from the refusal to the log.
  static Refusal refuse(Throwable failure) {
    return failure instanceof Refusal refusal
        ? refusal
        : new Refusal(
            ErrorCode.INTERNAL,
            "an error of the server, incident "
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
  }

  /// What the asking side gets to see of a failed request.
  static Refusal refusalOf(Throwable failure) {
    if (failure instanceof ReplyException reply) {
      if (reply.failureType() == ReplyFailure.RECIPIENT_FAILURE && reply.failureCode() == REFUSED) {
        return parse(String.valueOf(reply.getMessage()));
      }
      return Refusal.unavailable("no answer in time");
    }
    return refuse(failure);
  }

  private static Refusal parse(String text) {
    String[] parts = text.split("\\|", 4);
    return new Refusal(
        ErrorCode.valueOf(parts[0]),
        parts[2].isEmpty() ? null : parts[2],
        parts[3],
        parts[1].isEmpty() ? null : Duration.ofMillis(Long.parseLong(parts[1])));
  }
}
