package io.confab.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What the kernel counts of all processes at one moment (proc(5)).
///
/// @param stolen time that the machine below gave to others, in microseconds
record Processes(Map<Long, Entry> all, long stolen, long nanos) {
  private static final Path PROC = Path.of("/proc");

  /// The unit of times in `/proc`, which is the same on every Linux that the JDK supports.
  private static final long MICROS_PER_TICK = 10_000;

  private static final long KERNEL = 2;
  private static final int STOLEN_FIELD = 8;

  /// One process.
  ///
  /// @param own user and system time in microseconds
  /// @param ended the same of children that have ended
  record Entry(long parent, String program, long own, long ended) {}

  static Processes now() {
    Map<Long, Entry> all = new HashMap<>();
    try (Stream<Path> folders = Files.list(PROC)) {
      for (Path folder : folders.toList()) {
        String name = folder.getFileName().toString();
        if (Character.isDigit(name.charAt(0))) {
          read(folder, Long.parseLong(name), all);
        }
      }
      String first = Files.readAllLines(PROC.resolve("stat")).getFirst();
      long stolen = Long.parseLong(first.split(" +", -1)[STOLEN_FIELD]) * MICROS_PER_TICK;
      return new Processes(Map.copyOf(all), stolen, System.nanoTime());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(Path folder, long pid, Map<Long, Entry> all) {
    try {
      all.put(pid, parse(Files.readString(folder.resolve("stat"))));
    } catch (IOException endedMeanwhile) {
      // it is in no later picture either
    }
  }

  /// The content of `/proc/PID/stat`: the program's name may hold blanks and brackets.
  static Entry parse(String stat) {
    int end = stat.lastIndexOf(')');
    String program = stat.substring(stat.indexOf('(') + 1, end);
    String[] fields = stat.substring(end + 2).split(" ", -1);
    return new Entry(
        Long.parseLong(fields[1]),
        program,
        (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MICROS_PER_TICK,
        (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) * MICROS_PER_TICK);
  }

  /// Whether a process is one of `roots` or was begun by one of them or by one of theirs.
  boolean isBelow(long pid, List<Long> roots) {
    for (long at = pid; at > 0; at = parent(at)) {
      if (roots.contains(at)) {
        return true;
      }
    }
    return false;
  }

  /// What works for everybody, the writing of files for instance.
  boolean isKernel(long pid) {
    return pid == KERNEL || parent(pid) == KERNEL;
  }

  private long parent(long pid) {
    Entry entry = all.get(pid);
    return entry == null ? 0 : entry.parent();
  }

  /// The processes below `roots`.
  List<Long> below(List<Long> roots) {
    return all.keySet().stream().filter(pid -> isBelow(pid, roots)).toList();
  }
}
