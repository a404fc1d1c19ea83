package io.confab.listener;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The value of `date` (RFC 9110 §6.6.1), made once a second. For any thread: two that meet at the
/// turn of a second make the same text.
final class AnswerDate {
  /// The only form that senders may use (RFC 9110 §5.6.7), which always has two digits for the day.
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final long MILLIS = 1_000;

  private final InstantSource clock;
  private volatile Shown shown = new Shown(Long.MIN_VALUE, "");

  private record Shown(long second, String text) {}

  AnswerDate(InstantSource clock) {
    this.clock = clock;
  }

  String now() {
    long second = Math.floorDiv(clock.millis(), MILLIS);
    Shown last = shown;
    if (last.second() != second) {
      last = new Shown(second, FORM.format(Instant.ofEpochSecond(second)));
      shown = last;
    }
    return last.text();
  }
}
