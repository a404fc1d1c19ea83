package io.confab.feed;

import io.confab.protocol.RoomId;
import java.util.List;

/// Tells the world what was committed: this node's sockets at once, other nodes through Redis.
///
/// Best effort and never waits: numbers and the database make up for what is lost on the way.
/// May be called from any thread; calls from one thread keep their order.
public interface Announcer {
  void announce(List<Event> events);

  /// Announces an edit or deletion.
  ///
  /// @param restated the message as it stands now, in place of when it was sent: nobody is told,
  ///     but who reads later what was sent finds it so
  default void announce(Event change, Event restated) {
    announce(List.of(change));
  }

  void signal(List<AccountSignal> signals);

  /// Rings for what may be missed: a bell that is lost on the way stays lost.
  void signalOnce(List<AccountSignal> signals);

  /// Something in the room may have been committed, and nobody knows: everybody is to look at
  /// the room and to hear the news, now and once more when the change must be over.
  void inDoubt(RoomId room, List<AccountSignal> signals);

  /// The same for what concerns no room.
  void inDoubt(List<AccountSignal> signals);
}
