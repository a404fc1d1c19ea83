package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;

/// An event loop that has sockets, as the node's hub sees it. May be called from any thread.
public interface FeedLoop {
  void event(Event event);

  void news(AccountNews news);

  /// From now on nothing of the room passes by unheard, until the next time this is called.
  void listening(RoomId room);

  void listening(AccountId account);
}
