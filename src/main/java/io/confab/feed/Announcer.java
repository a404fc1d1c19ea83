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

  /// Brings a signal to the live streams of a room on all nodes, those of this node too, by way of
  /// Redis, unless the node is alone: while that is away, to none.
  void announce(RoomSignal signal);

  void signal(List<AccountSignal> signals);

  /// Signals that no digest repeats. Where one may not have gone out, as after [#untold].
  void signalOnce(List<AccountSignal> signals);

  /// Accounts have changed, and nobody knows which: soon all nodes compare theirs with the
  /// database.
  default void untold() {}

  /// Brings sends to the devices in whose queues they stand. To be called after the events of the
  /// same sends.
  default void queued(List<QueuedSend> sends) {}

  /// Tells senders what does not arrive.
  default void undelivered(List<Undelivered> lost) {}

  /// The room has got so far, by changes that are not announced one by one.
  void moved(RoomId room, Rev rev);
}
