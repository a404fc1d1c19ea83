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

/// What waits for a writer, in the order in which it came; bounded in number, in bytes and in time.
final class WriterQueue {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

  /// What an entry takes beside its text, about.
  private static final int ENTRY = 1_000;

  private final Config.Persistence limits;
  private final long mostBytes;
  private final Timing timing;
  private final Deque<Waiting> line = new ArrayDeque<>();
  private long bytes;
  private boolean watching;

  private record Waiting(Entry entry, long since) {}

  /// What is asked for, and where the answer goes.
  sealed interface Entry {
    Promise<?> answer();

    /// What it takes in memory, about.
    long bytes();

    default void refuse(String why) {
      answer().tryFail(Refusal.unavailable(why));
    }
  }

  record Sending(Draft draft, Promise<Sent> answer) implements Entry {
    @Override
    public long bytes() {
      return ENTRY + (long) Character.BYTES * draft.body().length();
    }
  }

  record Changing(MessageChange change, Promise<Changed> answer) implements Entry {
    @Override
    public long bytes() {
      return switch (change) {
        case MessageChange.Edit edit -> ENTRY + (long) Character.BYTES * edit.body().length();
        case MessageChange.Deletion _ -> ENTRY;
      };
    }
  }

  /// What goes to the database in one call.
  sealed interface Batch {}

  record Group(List<Sending> sends) implements Batch {}

  record Alone(Changing change) implements Batch {}

  /// @param mostBytes that wait
  WriterQueue(Config.Persistence limits, Timing timing, long mostBytes) {
    this.limits = limits;
    this.timing = timing;
    this.mostBytes = mostBytes;
  }

  boolean isEmpty() {
    return line.isEmpty();
  }

  boolean isFull() {
    return line.size() >= limits.queueRows() || bytes >= mostBytes;
  }

  /// Its answer fails with `unavailable` once it has waited too long.
  void add(Entry entry) {
    line.add(new Waiting(entry, timing.nanoTime()));
    bytes += entry.bytes();
    watch();
  }

  /// Takes out what goes next, which must be there: sends that follow each other go together, a
  /// change goes alone.
  Batch take() {
    return switch (line.element().entry()) {
      case Changing change -> {
        remove();
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
      remove();
    }
    return sends;
  }

  private Entry remove() {
    Entry entry = line.remove().entry();
    bytes -= entry.bytes();
    return entry;
  }

  void refuseAll(String why) {
    line.forEach(waiting -> waiting.entry().refuse(why));
    line.clear();
    bytes = 0;
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
      remove().refuse("waited too long for the database");
    }
  }
}
