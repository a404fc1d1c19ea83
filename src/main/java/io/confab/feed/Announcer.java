package io.confab.feed;

import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.List;

/// Publishes what was committed: to the sockets of this node at once, to other nodes through Redis.
///
/// Best effort and never waits: numbers and the database make up for what is lost on the way.
/// May be called from any thread; calls from one thread keep their order.
public interface Announcer {
  void announce(List<Event> events);

  /// An edit or deletion.
  ///
  /// @param message as it stands now, in place of when it was sent: it is not delivered, but later
  ///     reads of what was sent find it
  record Restatement(Event change, Event message) {}

  /// Announces edits and deletions.
  default void restate(List<Restatement> changes) {
    announce(changes.stream().map(Restatement::change).toList());
  }

  void signal(List<AccountSignal> signals);

  /// Signals that may be missed: one that is lost on the way stays lost.
  void signalOnce(List<AccountSignal> signals);

  /// The room has got so far, by changes that are not announced one by one.
  void moved(RoomId room, Rev rev);
}
