package io.confab.browser;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What Chromium recorded of its work, as its developer tools draw it
/// (https://chromium.googlesource.com/catapult, Trace Event Format).
record Trace(List<Long> frames, List<Long> tasks) {
  /// Categories of the events that are read here.
  static final List<String> CATEGORIES =
      List.of(
          "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame");

  private static final long MICROS = 1_000;

  /// How many milliseconds each frame took until it was shown, and each task of a thread.
  static Trace of(byte[] recorded) {
    JsonArray events = new JsonObject(Buffer.buffer(recorded)).getJsonArray("traceEvents");
    List<Long> frames = new ArrayList<>();
    List<Long> tasks = new ArrayList<>();
    Map<String, Long> begun = new HashMap<>();
    for (Object each : events) {
      JsonObject event = (JsonObject) each;
      switch (event.getString("name")) {
        case "PipelineReporter" -> frame(event, begun, frames);
        case "RunTask" -> tasks.add(event.getLong("dur", 0L) / MICROS);
        default -> {}
      }
    }
    return new Trace(frames, tasks);
  }

  private static void frame(JsonObject event, Map<String, Long> begun, List<Long> frames) {
    String id = event.getInteger("pid") + "/" + event.getValue("id2", event.getValue("id"));
    long at = event.getLong("ts");
    if (event.getString("ph").equals("b")) {
      begun.put(id, at);
      return;
    }
    Long from = begun.remove(id);
    if (from != null) {
      frames.add((at - from) / MICROS);
    }
  }

  /// Those that took longer, the longest first.
  static List<Long> over(List<Long> all, long ms) {
    return all.stream().filter(one -> one > ms).sorted((a, b) -> Long.compare(b, a)).toList();
  }

  @Override
  public String toString() {
    return Stream.of(
            "%d frames, over 100 ms: %s".formatted(frames.size(), over(frames, 100)),
            "%d tasks, over 100 ms: %s".formatted(tasks.size(), over(tasks, 100)))
        .reduce((a, b) -> a + "; " + b)
        .orElseThrow();
  }
}
