package io.confab.logging;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/// So many lines of the log about one source in a minute, for at most [#MOST_SOURCES] sources, so
/// that no flood fills a disk. What has no line is told at the end of the minute as a number. For
/// any thread.
///
/// @param <T> what the lines are about
public final class LineBudget<T> {
  public static final int MOST_SOURCES = 1_000;

  private static final String OTHERS = "others";

  private final ToIntFunction<T> lines;
  private final Map<Source<T>, Integer> minute = new HashMap<>();

  private record Source<T>(T topic, String who) {}

  /// Tells what had no line.
  public interface Rest<T> {
    /// @param who a source, or `others`
    void tell(T topic, String who, int times);
  }

  /// @param lines of a topic about one source in a minute
  public LineBudget(ToIntFunction<T> lines) {
    this.lines = lines;
  }

  /// Whether something is to be told in a line of its own.
  public synchronized boolean take(T topic, String who) {
    Source<T> source = new Source<>(topic, who);
    if (minute.size() >= MOST_SOURCES && !minute.containsKey(source)) {
      minute.merge(new Source<>(topic, OTHERS), 1, Integer::sum);
      return false;
    }
    return minute.merge(source, 1, Integer::sum) <= lines.applyAsInt(topic);
  }

  public void endMinute(Rest<T> rest) {
    takeMinute()
        .forEach(
            (source, times) -> {
              int told = source.who().equals(OTHERS) ? 0 : lines.applyAsInt(source.topic());
              if (times > told) {
                rest.tell(source.topic(), source.who(), times - told);
              }
            });
  }

  private synchronized Map<Source<T>, Integer> takeMinute() {
    Map<Source<T>, Integer> past = Map.copyOf(minute);
    minute.clear();
    return past;
  }
}
