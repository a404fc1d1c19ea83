package io.confab.feed;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.util.List;

/// The newest events of each room, kept where all nodes reach them without the database. It may
/// lose anything at any time, but never gives what is incomplete or was edited since.
public interface RecentEvents {
  /// How many events of a room it keeps at most.
  int size();

  /// Adds what was announced, of any rooms. Never waits, never fails. May be called from any
  /// thread.
  ///
  /// @param events an edit or deletion together with its message as it stands now
  void add(List<SealedEvent> events);

  /// The same for several calls, in their order.
  default void addAll(List<List<SealedEvent>> calls) {
    calls.forEach(this::add);
  }

  /// Of the events that end at `upTo`, as far back towards `after` as none is missing, the first
  /// ones: so many as asked for, fewer where they are large. None if the one at `upTo` is missing,
  /// if they are of another epoch, or if the answer is not to be had.
  Future<List<Event>> read(RoomId room, Span span, Epoch epoch);

  /// What is asked for.
  ///
  /// @param upTo where the room stands: up to there none may be missing
  /// @param most how many events
  record Span(Rev after, Rev upTo, int most) {}
}
