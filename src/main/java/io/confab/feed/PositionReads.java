package io.confab.feed;

import io.confab.feed.EventCommand.Positions;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Reads where rooms stand, many together: while one read is under way the next one collects. A
/// read that failed, or told another epoch than that of the feeds, is tried again until it
/// succeeds, so that a feed is never left behind. Belongs to one event loop.
final class PositionReads {
  private static final int MOST_ROOMS = 1_000;
  private static final Duration RETRY = Duration.ofMillis(250);

  private final EventSource source;
  private final Timers timers;
  private final Predicate<Epoch> current;
  private final Map<RoomId, Promise<Rev>> waiting = new LinkedHashMap<>();
  private boolean reading;

  /// @param current whether this is the epoch to read
  PositionReads(EventSource source, Timers timers, Predicate<Epoch> current) {
    this.source = source;
    this.timers = timers;
    this.current = current;
  }

  /// The rev of a room, read after this call; 0 for one that does not exist.
  Future<Rev> read(RoomId room) {
    Promise<Rev> promise = waiting.computeIfAbsent(room, _ -> Promise.promise());
    readNext();
    return promise.future();
  }

  private void readNext() {
    if (reading || waiting.isEmpty()) {
      return;
    }
    reading = true;
    Map<RoomId, Promise<Rev>> batch = new LinkedHashMap<>();
    for (RoomId room : List.copyOf(waiting.keySet())) {
      if (batch.size() < MOST_ROOMS) {
        batch.put(room, waiting.remove(room));
      }
    }
    source
        .positions(new ArrayList<>(batch.keySet()))
        .onSuccess(positions -> answer(batch, positions))
        .onFailure(_ -> timers.after(RETRY, () -> again(batch)));
  }

  private void answer(Map<RoomId, Promise<Rev>> batch, Positions positions) {
    if (!current.test(positions.epoch())) {
      timers.after(RETRY, () -> again(batch));
      return;
    }
    reading = false;
    positions.rooms().forEach(position -> batch.remove(position.room()).complete(position.rev()));
    batch.values().forEach(promise -> promise.complete(Rev.ZERO));
    readNext();
  }

  private void again(Map<RoomId, Promise<Rev>> batch) {
    reading = false;
    batch.forEach((room, promise) -> merge(room, promise));
    readNext();
  }

  private void merge(RoomId room, Promise<Rev> promise) {
    Promise<Rev> other = waiting.putIfAbsent(room, promise);
    if (other != null) {
      other.future().onComplete(promise);
    }
  }
}
