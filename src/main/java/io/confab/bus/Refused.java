package io.confab.bus;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.Refusal;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The answer to a command that is refused, or fails.
record Refused(
    ErrorCode code,
    @Nullable String field,
    String detail,
    @Nullable Duration retryAfter,
    @Nullable List<PresentDevice> devices)
    implements BusMessage {
  static Refused of(Refusal refusal) {
    return new Refused(
        refusal.code(),
        refusal.field().orElse(null),
        refusal.detail(),
        refusal.retryAfter().orElse(null),
        refusal.devices().orElse(null));
  }

  Refusal refusal() {
    return new Refusal(code, field, detail, retryAfter, devices);
  }

  /// The refusal that the caller gets for a handler's failure. A bug gets a number, which leads
  /// from the refusal to the log.
  static Refusal refusalFor(Throwable failure) {
    return failure instanceof Refusal refusal
        ? refusal
        : new Refusal(
            ErrorCode.INTERNAL,
            "an error of the server, incident "
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
  }
}
