package io.confab.feed;

import io.confab.protocol.Epoch;
import io.confab.protocol.NodeId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The summary that a node publishes twice a second, even if nothing happened, of what it has
/// announced since the last one. Because digests are numbered, a node that misses one knows it.
///
/// @param number 1, 2, 3 … since the origin started
/// @param leaving whether it is the last one
record Digest(Origin origin, long number, boolean leaving, Epoch epoch, Contents contents) {
  /// Rooms moved of one digest.
  static final int MOST_ROOMS = 5_000;

  static final int MOST_SIGNALS = 2_000;

  /// A node for as long as its process lives.
  ///
  /// @param nonce drawn when the process started
  record Origin(NodeId node, long nonce) {}

  /// @param moved rooms with something new
  /// @param signals in the order in which they were announced
  /// @param sends rooms with new sends to queues
  /// @param more whether there was more than could be kept
  record Contents(List<Moved> moved, List<AccountSignal> signals, List<Sends> sends, boolean more) {
    static final Contents NOTHING = new Contents(List.of(), List.of(), false);

    Contents(List<Moved> moved, List<AccountSignal> signals, boolean more) {
      this(moved, signals, List.of(), more);
    }

    /// The same in as few digests as may be, each of at most so many rooms and signals; the last
    /// one says that there was more.
    List<Contents> parts(int mostRooms, int mostSignals) {
      int parts =
          Stream.of(
                  Math.ceilDiv(moved.size(), mostRooms),
                  Math.ceilDiv(sends.size(), mostRooms),
                  Math.ceilDiv(signals.size(), mostSignals),
                  1)
              .reduce(1, Math::max);
      return IntStream.range(0, parts)
          .mapToObj(
              i ->
                  new Contents(
                      part(moved, i, mostRooms),
                      part(signals, i, mostSignals),
                      part(sends, i, mostRooms),
                      more && i == parts - 1))
          .toList();
    }

    private static <T> List<T> part(List<T> all, int part, int most) {
      int from = Math.min(part * most, all.size());
      return all.subList(from, Math.min(from + most, all.size()));
    }
  }

  /// @param rev the newest that was announced
  record Moved(RoomId room, Rev rev) {}

  /// @param number of the last one that was announced
  record Sends(RoomId room, long number) {}
}
