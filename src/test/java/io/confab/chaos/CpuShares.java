package io.confab.chaos;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// How much processor time groups of processes have taken, those that have ended meanwhile up to
/// when they were seen last. For one thread.
final class CpuShares {
  private final Map<String, Map<Long, Duration>> groups = new LinkedHashMap<>();

  void look(String group, Collection<ProcessHandle> processes) {
    Map<Long, Duration> known = groups.computeIfAbsent(group, _ -> new HashMap<>());
    for (ProcessHandle each : processes) {
      each.info().totalCpuDuration().ifPresent(taken -> known.put(each.pid(), taken));
    }
  }

  private Duration of(String group) {
    return groups.getOrDefault(group, Map.of()).values().stream()
        .reduce(Duration.ZERO, Duration::plus);
  }

  /// In seconds since another look.
  String since(Map<String, Duration> before) {
    StringBuilder text = new StringBuilder();
    for (String group : groups.keySet()) {
      Duration taken = of(group).minus(before.getOrDefault(group, Duration.ZERO));
      text.append(text.isEmpty() ? "" : ", ")
          .append("%s %.1f s".formatted(group, taken.toMillis() / 1e3));
    }
    return text.toString();
  }

  Map<String, Duration> now() {
    Map<String, Duration> all = new HashMap<>();
    groups.keySet().forEach(group -> all.put(group, of(group)));
    return all;
  }
}
