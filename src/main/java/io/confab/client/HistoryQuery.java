package io.confab.client;

import io.confab.protocol.Seq;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Which page of a room's messages; positions are exclusive.
///
/// @param parameter `before`, `after`, `around` or `anchor`; absent: the newest page
/// @param limit how many messages, at most 200; empty: the server's choice
public record HistoryQuery(@Nullable String parameter, @Nullable String value, OptionalInt limit) {

  public static HistoryQuery newest() {
    return new HistoryQuery(null, null, OptionalInt.empty());
  }

  public static HistoryQuery oldest() {
    return new HistoryQuery("anchor", "oldest", OptionalInt.empty());
  }

  /// The messages next before this one.
  public static HistoryQuery before(Seq seq) {
    return new HistoryQuery("before", seq.toString(), OptionalInt.empty());
  }

  /// The messages next after this one.
  public static HistoryQuery after(Seq seq) {
    return new HistoryQuery("after", seq.toString(), OptionalInt.empty());
  }

  /// This message with those next to it.
  public static HistoryQuery around(Seq seq) {
    return new HistoryQuery("around", seq.toString(), OptionalInt.empty());
  }

  public HistoryQuery limit(int most) {
    return new HistoryQuery(parameter, value, OptionalInt.of(most));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    if (parameter != null) {
      text.append('?').append(parameter).append('=').append(value);
    }
    limit.ifPresent(most -> text.append(text.isEmpty() ? '?' : '&').append("limit=").append(most));
    return text.toString();
  }
}
