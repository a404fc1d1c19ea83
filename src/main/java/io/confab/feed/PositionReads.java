package io.confab.feed;

import io.confab.feed.EventCommand.Positions;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/// Reads where rooms stand, many together: while one read is under way the next one collects. A
/// read that failed, or told another epoch than that of the feeds, is tried again until it
/// succeeds, so that a feed is never left behind. Belongs to one event loop.
final class PositionReads {
  private static final int MOST_ROOMS = 1_000;

  private final EventSource source;
  private final Timers timers;
  private final Predicate<Epoch> current;
  private final Map<RoomId, Promise<Rev>> waiting = new LinkedHashMap<>();
  private final Runnable back;
  private boolean reading;
  private boolean away;

  /// @param current whether this is the epoch to read
  /// @param back called when a read succeeds after one that failed
  PositionReads(EventSource source, Timers timers, Predicate<Epoch> current, Runnable back) {
    this.source = source;
    this.timers = timers;
    this.current = current;
    this.back = back;
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
    Iterator<Map.Entry<RoomId, Promise<Rev>>> rest = waiting.entrySet().iterator();
    while (rest.hasNext() && batch.size() < MOST_ROOMS) {
      Map.Entry<RoomId, Promise<Rev>> next = rest.next();
      batch.put(next.getKey(), next.getValue());
      rest.remove();
    }
    source
        .positions(new ArrayList<>(batch.keySet()))
        .onSuccess(positions -> answer(batch, positions))
        .onFailure(_ -> failed(batch));
  }

  private void answer(Map<RoomId, Promise<Rev>> batch, Positions positions) {
    if (!current.test(positions.epoch())) {
      timers.retry(() -> again(batch));
      return;
    }
    reading = false;
    positions.rooms().forEach(position -> batch.remove(position.room()).complete(position.rev()));
    batch.values().forEach(promise -> promise.complete(Rev.ZERO));
    if (away) {
      away = false;
      back.run();
    }
    readNext();
  }

  private void failed(Map<RoomId, Promise<Rev>> batch) {
    away = true;
    timers.retry(() -> again(batch));
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
