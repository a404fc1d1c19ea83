package io.confab.bench;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `scripts/bench`: the parts that are asked for, or all, and one table.
public final class Bench {
  private Bench() {}

  private static Map<String, Part> parts() {
    Map<String, Part> parts = new LinkedHashMap<>();
    parts.put("fan-out", new FanOut());
    parts.put("send", new Send());
    parts.put("latency", new Latency());
    parts.put("idle", new Idle());
    parts.put("start", new Start());
    parts.put("history", new History());
    parts.put("reconnect", new Reconnect());
    parts.put("append", new Append());
    parts.put("sealed", new Sealed());
    return parts;
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException {
    Runtime.getRuntime().addShutdownHook(new Thread(Bench::endAll));
    try {
      run(Options.parse(List.of(args)));
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage() + " (scripts/bench --help)");
      System.exit(2);
    }
  }

  /// Ends what still runs when the benchmark is stopped.
  private static void endAll() {
    List<ProcessHandle> all = ProcessHandle.current().descendants().toList();
    all.forEach(ProcessHandle::destroyForcibly);
  }

  @SuppressWarnings("SystemOut")
  private static void run(Options options) throws IOException {
    Map<String, Part> parts = parts();
    for (String part : options.parts()) {
      if (!parts.containsKey(part)) {
        throw new IllegalArgumentException("no such part: " + part);
      }
    }
    Table table = new Table(options.contestants());
    try (Driver driver = new Driver()) {
      Setting setting = new Setting(options, driver, new Rounds(options, table));
      for (var part : parts.entrySet()) {
        if (options.parts().isEmpty() || options.parts().contains(part.getKey())) {
          part.getValue().run(setting);
          Report.write(options, table);
        }
      }
    }
    System.out.println(table);
  }
}
