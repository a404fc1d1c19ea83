package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// What who joins a room may see of what was said before.
public enum HistoryRule {
  ALL,
  SINCE_JOIN;

  private final String wire = name().toLowerCase(Locale.ROOT);

  /// The name on the wire and in the database.
  @JsonValue
  public String wire() {
    return wire;
  }

  /// Refusal: `invalid_field`.
  public static HistoryRule read(String field, String text) {
    for (HistoryRule rule : values()) {
      if (rule.wire.equals(text)) {
        return rule;
      }
    }
    throw Refusal.invalidField(field, "must be all or since_join");
  }
}
