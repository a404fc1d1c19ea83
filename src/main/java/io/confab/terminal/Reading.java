package io.confab.terminal;

import io.confab.client.ConfabClient;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// Reads along: what stands on the screen is read, but for a room of which the person wants to keep
/// something unread, until they open it again. Tells also that the person types there.
final class Reading {
  private final ConfabClient client;
  private boolean paused;

  /// Read by the thread of the input too.
  private volatile @Nullable RoomId open;

  Reading(ConfabClient client) {
    this.client = client;
  }

  /// Another room is on the screen.
  void opened(RoomId room) {
    open = room;
    paused = false;
  }

  void pause() {
    paused = true;
  }

  void goOn() {
    paused = false;
  }

  boolean isPaused() {
    return paused;
  }

  /// Everything up to this message is on the screen.
  void seen(Seq newest) {
    RoomId room = open;
    if (room != null && !paused && !newest.equals(Seq.ZERO)) {
      client.markRead(room, newest);
    }
  }

  /// @param begun whether something to say stands in the line
  void typing(boolean begun) {
    RoomId room = open;
    if (room != null && begun) {
      client.typing(room);
    } else {
      client.stopTyping();
    }
  }
}
