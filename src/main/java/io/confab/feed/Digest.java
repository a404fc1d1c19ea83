package io.confab.feed;

import io.confab.protocol.Epoch;
import io.confab.protocol.NodeId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.List;

/// The summary that a node publishes twice a second, even if nothing happened, of what it has
/// announced since the last one. Because digests are numbered, a node that misses one knows it.
///
/// @param number 1, 2, 3 … since the origin started
/// @param leaving whether it is the last one
record Digest(Origin origin, long number, boolean leaving, Epoch epoch, Contents contents) {

  /// A node for as long as its process lives.
  ///
  /// @param nonce drawn when the process started
  record Origin(NodeId node, long nonce) {}

  /// @param moved rooms with something new
  /// @param inDoubt rooms in which something may have been committed: nobody knows
  /// @param signals in the order in which they were announced
  /// @param more whether there was more than could be kept
  record Contents(
      List<Moved> moved, List<RoomId> inDoubt, List<AccountSignal> signals, boolean more) {
    static final Contents NOTHING = new Contents(List.of(), List.of(), List.of(), false);
  }

  /// @param rev the newest that was announced
  record Moved(RoomId room, Rev rev) {}
}
