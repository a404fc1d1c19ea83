package io.confab.room;

import io.confab.postgres.FailureKind;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The changes of each room, one after the other: those of a room that many change at once, or that
/// somebody has locked, wait here and on no connection. May be used from any thread.
final class RoomLines {
  static final int MOST_OF_A_ROOM = 1_000;

  private final Map<RoomId, Queue<Waiting<?>>> lines = new HashMap<>();
  private final Timing timing;
  private final Duration patience;
  private final long mostBytes;
  private long bytes;

  private record Waiting<T>(Supplier<Future<T>> change, int bytes, long since, Promise<T> answer) {
    void refuse(String why) {
      answer.fail(Refusal.unavailable(why));
    }
  }

  /// @param patience of those that wait
  /// @param mostBytes of all that wait
  RoomLines(Timing timing, Duration patience, long mostBytes) {
    this.mostBytes = mostBytes;
    this.timing = timing;
    this.patience = patience;
  }

  /// Makes a change when its turn has come. Refusal: `unavailable`, when too many wait, when it has
  /// waited too long, and when the one before it was not answered by the database.
  ///
  /// @param bytes of the change while it waits
  <T> Future<T> run(RoomId room, int bytes, Supplier<Future<T>> change) {
    Waiting<T> mine = new Waiting<>(change, bytes, timing.nanoTime(), Promise.promise());
    if (isFirst(room, mine)) {
      begin(room, mine);
    }
    return mine.answer().future();
  }

  private synchronized boolean isFirst(RoomId room, Waiting<?> mine) {
    Queue<Waiting<?>> line = lines.get(room);
    if (line == null) {
      lines.put(room, new ArrayDeque<>());
      return true;
    }
    if (line.size() >= MOST_OF_A_ROOM || bytes + mine.bytes() > mostBytes) {
      mine.refuse("too many changes of rooms are waiting");
    } else {
      line.add(mine);
      bytes += mine.bytes();
    }
    return false;
  }

  private <T> void begin(RoomId room, Waiting<T> mine) {
    Future.succeededFuture()
        .compose(_ -> mine.change().get())
        .onComplete(
            made -> {
              if (made.succeeded() || !isAway(made.cause())) {
                goOn(room);
              } else {
                end(room).forEach(next -> next.refuse("the room cannot be changed now"));
              }
              mine.answer().handle(made);
            });
  }

  /// Whether the next change of the room would meet the same.
  private static boolean isAway(Throwable failure) {
    return !(failure instanceof Refusal)
        && (FailureKind.isLocked(failure)
            || switch (FailureKind.of(failure)) {
              case LOST, STORAGE -> true;
              case BUSY, FAULT -> false;
            });
  }

  private void goOn(RoomId room) {
    for (Waiting<?> next = next(room); next != null; next = next(room)) {
      if (timing.nanoTime() - next.since() <= patience.toNanos()) {
        begin(room, next);
        return;
      }
      next.refuse("waited too long for the room");
    }
  }

  private synchronized @Nullable Waiting<?> next(RoomId room) {
    Waiting<?> next = line(room).poll();
    if (next == null) {
      lines.remove(room);
    } else {
      bytes -= next.bytes();
    }
    return next;
  }

  private synchronized List<Waiting<?>> end(RoomId room) {
    List<Waiting<?>> left = List.copyOf(line(room));
    lines.remove(room);
    left.forEach(next -> bytes -= next.bytes());
    return left;
  }

  private Queue<Waiting<?>> line(RoomId room) {
    return Objects.requireNonNull(lines.get(room));
  }
}
