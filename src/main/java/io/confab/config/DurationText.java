package io.confab.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Durations as the configuration writes them: a whole number and one of `ms s m h d`.
final class DurationText {
  private static final Pattern FORM = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
  private static final Map<String, Duration> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("d", Duration.ofDays(1));
    UNITS.put("h", Duration.ofHours(1));
    UNITS.put("m", Duration.ofMinutes(1));
    UNITS.put("s", Duration.ofSeconds(1));
    UNITS.put("ms", Duration.ofMillis(1));
  }

  private DurationText() {}

  /// Empty when the text is not a duration.
  static Optional<Duration> parse(String text) {
    var matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.ofNullable(UNITS.get(matcher.group(2)))
        .map(unit -> unit.multipliedBy(Long.parseLong(matcher.group(1))));
  }

  /// The shortest exact text, in the greatest unit that fits.
  static String of(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    return UNITS.entrySet().stream()
        .filter(unit -> duration.toMillis() % unit.getValue().toMillis() == 0)
        .findFirst()
        .map(unit -> duration.dividedBy(unit.getValue()) + unit.getKey())
        .orElseGet(duration::toString);
  }
}
