package io.confab.logging;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/// So many lines of the log about one source in a minute, for at most [#MOST_SOURCES] sources of a
/// topic, so that no flood fills a disk, nor one of a topic hides another. What has no line is told
/// at the end of the minute as a number. For any thread.
///
/// @param <T> what the lines are about; few
public final class LineBudget<T> {
  public static final int MOST_SOURCES = 1_000;

  /// How often the end of the minute is to be told, in milliseconds.
  public static final long MINUTE_MS = 60_000;

  private static final String OTHERS = "others";

  private final ToIntFunction<T> lines;
  private final Map<T, Map<String, Integer>> minute = new HashMap<>();

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
    Map<String, Integer> sources = minute.computeIfAbsent(topic, _ -> new HashMap<>());
    if (sources.size() >= MOST_SOURCES && !sources.containsKey(who)) {
      sources.merge(OTHERS, 1, Integer::sum);
      return false;
    }
    return sources.merge(who, 1, Integer::sum) <= lines.applyAsInt(topic);
  }

  public void endMinute(Rest<T> rest) {
    takeMinute()
        .forEach(
            (topic, sources) ->
                sources.forEach(
                    (who, times) -> {
                      int told = who.equals(OTHERS) ? 0 : lines.applyAsInt(topic);
                      if (times > told) {
                        rest.tell(topic, who, times - told);
                      }
                    }));
  }

  private synchronized Map<T, Map<String, Integer>> takeMinute() {
    Map<T, Map<String, Integer>> past = Map.copyOf(minute);
    minute.clear();
    return past;
  }
}
