package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// The line above what is unread in a room.
///
/// @param from the place where unread begins; null: there is none
record UnreadLine(@Nullable Seq from, Unread unread) {
  static UnreadLine none() {
    return new UnreadLine(null, Unread.none());
  }

  /// Where a list of rooms says that it is.
  static UnreadLine of(ChatRoom room) {
    Unread unread = Unread.of(room);
    Seq read = room.readSeq();
    if (unread.isNone() || read == null) {
      return none();
    }
    Seq wanted = room.unreadFrom();
    return new UnreadLine(wanted == null ? new Seq(read.value() + 1) : wanted, unread);
  }

  boolean standsBefore(Seq seq) {
    return from != null && seq.compareTo(from) >= 0;
  }

  String text() {
    return "—— unread: %s ——".formatted(unread.number());
  }
}
