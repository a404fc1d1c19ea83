package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// What memory a JVM has, by its own tools and by Linux.
public record Memory(long pid) {
  private static final Pattern USED = Pattern.compile("total .*?used (\\d+)K");
  private static final Pattern COMMITTED = Pattern.compile("committed (\\d+)K, used");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final long KB_PER_MB = 1_024;

  /// What is left after a full collection.
  public long liveHeapMb() {
    jcmd("GC.run");
    return live(jcmd("GC.heap_info"));
  }

  /// The sum over all generations, by any collector of `jcmd GC.heap_info`.
  static long live(String heap) {
    List<MatchResult> used = USED.matcher(heap).results().toList();
    assertThat(used).as(heap).isNotEmpty();
    return used.stream().mapToLong(part -> Long.parseLong(part.group(1))).sum() / KB_PER_MB;
  }

  /// What G1 has taken for the heap from the system.
  long committedHeapMb() {
    return COMMITTED
            .matcher(jcmd("GC.heap_info"))
            .results()
            .mapToLong(heap -> Long.parseLong(heap.group(1)))
            .findFirst()
            .orElseThrow()
        / KB_PER_MB;
  }

  /// The options of the JVM that are not as it has them by itself.
  String flags() {
    return jcmd("VM.flags");
  }

  public long residentMb() {
    try {
      return RESIDENT
              .matcher(Files.readString(Path.of("/proc", Long.toString(pid), "status")))
              .results()
              .map((MatchResult line) -> Long.parseLong(line.group(1)))
              .findFirst()
              .orElseThrow()
          / KB_PER_MB;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String jcmd(String command) {
    try {
      Process jcmd =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                  Long.toString(pid),
                  command)
              .redirectErrorStream(true)
              .start();
      return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
