package io.confab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The proportional set size of a contestant's processes: each shared page counts in parts
/// (`/proc/PID/smaps_rollup`).
///
/// @param kilobytes by role
record Memory(Map<Role, Long> kilobytes) {
  private static final Pattern PSS = Pattern.compile("Pss: +(\\d+) kB");

  static Memory of(Contestant contestant) {
    Processes now = Processes.now();
    Map<Role, Long> kilobytes = new EnumMap<>(Role.class);
    for (long pid : now.below(contestant.roots())) {
      Processes.Entry entry = now.all().get(pid);
      if (entry != null) {
        kilobytes.merge(Role.of(entry.program()), pss(pid), Long::sum);
      }
    }
    return new Memory(Map.copyOf(kilobytes));
  }

  private static long pss(long pid) {
    try {
      Path rollup = Path.of("/proc", Long.toString(pid), "smaps_rollup");
      Matcher pss = PSS.matcher(Files.readString(rollup));
      return pss.find() ? Long.parseLong(pss.group(1)) : 0;
    } catch (IOException endedMeanwhile) {
      return 0;
    }
  }

  long of(Role role) {
    return kilobytes.getOrDefault(role, 0L);
  }

  long total() {
    return kilobytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
