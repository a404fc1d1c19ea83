package io.confab.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How often something may happen: so many in each span of time, and so many at once when there
/// was quiet before. Written `50/s burst 500`, or `300/15m burst 300`.
public record Rate(int count, Duration per, int burst) {
  private static final int MOST = 1_000_000;
  private static final Duration LONGEST = Duration.ofDays(30);
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,7})/(\\d{0,4})([smhd]) burst (\\d{1,7})");

  /// Empty when the text is no rate, or counts beyond a million or 30 days.
  static Optional<Rate> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String spans = matcher.group(2).isEmpty() ? "1" : matcher.group(2);
    return DurationText.parse(spans + matcher.group(3))
        .map(
            per ->
                new Rate(
                    Integer.parseInt(matcher.group(1)), per, Integer.parseInt(matcher.group(4))))
        .filter(Rate::isWithinBounds);
  }

  private boolean isWithinBounds() {
    return count >= 1
        && count <= MOST
        && burst >= 1
        && burst <= MOST
        && per.isPositive()
        && per.compareTo(LONGEST) <= 0
        && per.toSeconds() * burst / count <= LONGEST.toSeconds();
  }

  /// As the file writes it.
  @Override
  public String toString() {
    String span = DurationText.of(per);
    return "%d/%s burst %d"
        .formatted(count, span.matches("1[smhd]") ? span.substring(1) : span, burst);
  }
}
