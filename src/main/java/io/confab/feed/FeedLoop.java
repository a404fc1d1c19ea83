package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;

/// An event loop that has sockets, as the node's hub sees it. May be called from any thread.
public interface FeedLoop {
  void event(Event event);

  void signal(AccountSignal signal);

  /// The same, heard again some time later: part of it may be outdated.
  void signalAgain(AccountSignal signal);

  /// The room is said to stand at `rev`; its events may be just on their way.
  void moved(RoomId room, Rev rev);

  /// Something may have happened in the room.
  void look(RoomId room);

  /// Anything may have passed by unheard, in all rooms and of all accounts.
  void compareAll();

  /// From now on nothing of the room passes by unheard, until the next time this is called.
  void listening(RoomId room);

  void listening(AccountId account);
}
