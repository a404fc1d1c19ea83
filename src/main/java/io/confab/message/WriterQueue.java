package io.confab.message;

import io.confab.config.Config;
import io.confab.protocol.Refusal;
import io.confab.time.Timing;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// What waits for a writer, in the order in which it came; bounded in number and in time.
final class WriterQueue {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

  private final Config.Persistence limits;
  private final Timing timing;
  private final Deque<Waiting> line = new ArrayDeque<>();
  private boolean watching;

  private record Waiting(Entry entry, long since) {}

  /// What is asked for, and where the answer goes.
  sealed interface Entry {
    Promise<?> answer();

    default void refuse(String why) {
      answer().tryFail(Refusal.unavailable(why));
    }
  }

  record Sending(Draft draft, Promise<Sent> answer) implements Entry {}

  record Changing(MessageChange change, Promise<Changed> answer) implements Entry {}

  /// What goes to the database in one call.
  sealed interface Batch {}

  record Group(List<Sending> sends) implements Batch {}

  record Alone(Changing change) implements Batch {}

  WriterQueue(Config.Persistence limits, Timing timing) {
    this.limits = limits;
    this.timing = timing;
  }

  boolean isEmpty() {
    return line.isEmpty();
  }

  boolean isFull() {
    return line.size() >= limits.queueRows();
  }

  /// Its answer fails with `unavailable` once it has waited too long.
  void add(Entry entry) {
    line.add(new Waiting(entry, timing.nanoTime()));
    watch();
  }

  /// Takes out what goes next, which must be there: sends that follow each other go together, a
  /// change goes alone.
  Batch take() {
    return switch (line.element().entry()) {
      case Changing change -> {
        line.remove();
        yield new Alone(change);
      }
      case Sending _ -> new Group(takeSends());
    };
  }

  private List<Sending> takeSends() {
    List<Sending> sends = new ArrayList<>(Math.min(line.size(), limits.groupRows()));
    while (sends.size() < limits.groupRows()
        && line.peek() instanceof Waiting(Sending sending, _)) {
      sends.add(sending);
      line.remove();
    }
    return sends;
  }

  void refuseAll(String why) {
    line.forEach(waiting -> waiting.entry().refuse(why));
    line.clear();
  }

  /// Refuses what waited too long, without a timer for each.
  private void watch() {
    Waiting oldest = line.peek();
    if (watching || oldest == null) {
      return;
    }
    watching = true;
    long left = limits.waitLimit().toNanos() - (timing.nanoTime() - oldest.since());
    timing
        .pause(Duration.ofNanos(Math.max(left, SHORTEST_PAUSE.toNanos())))
        .onComplete(
            _ -> {
              watching = false;
              expire();
              watch();
            });
  }

  private void expire() {
    long now = timing.nanoTime();
    while (!line.isEmpty() && now - line.element().since() >= limits.waitLimit().toNanos()) {
      line.remove().entry().refuse("waited too long for the database");
    }
  }
}
