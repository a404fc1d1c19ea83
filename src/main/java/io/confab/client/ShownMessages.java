package io.confab.client;

import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import java.util.HashMap;
import java.util.Map;

/// The messages of a room that a program has seen, and those of them in a state newer than the
/// room's position: a change that a page or a replay has shown already is not shown again when its
/// event comes. Holds no more than the messages of one page or replay.
final class ShownMessages {
  private final Map<Seq, Rev> ahead = new HashMap<>();
  private Seq newest;

  ShownMessages(Seq newest) {
    this.newest = newest;
  }

  Seq newest() {
    return newest;
  }

  /// A page takes the place of all that was shown.
  void reset(HistoryPage page) {
    ahead.clear();
    newest = page.seq();
    for (ChatMessage message : page.messages()) {
      newest = message.seq().compareTo(newest) > 0 ? message.seq() : newest;
      remember(message, page.rev());
    }
  }

  /// Whether this update shows something new as of `rev`; then it counts as shown.
  boolean take(RoomUpdate update, Rev rev) {
    return switch (update) {
      case RoomUpdate.Said(ChatMessage message) -> said(message, rev);
      case RoomUpdate.Edited(ChatMessage message) -> edited(message, rev);
      case RoomUpdate.Deleted deleted -> isBehind(deleted.seq(), rev);
      case RoomUpdate.Sealed sealed -> {
        newest = sealed.seq().compareTo(newest) > 0 ? sealed.seq() : newest;
        yield true;
      }
      case RoomUpdate.MemberJoined _,
          RoomUpdate.MemberLeft _,
          RoomUpdate.MembersChanged _,
          RoomUpdate.Archived _,
          RoomUpdate.RoomSealed _,
          RoomUpdate.ExpirySet _,
          RoomUpdate.Other _,
          RoomUpdate.Reset _ ->
          true;
    };
  }

  private boolean said(ChatMessage message, Rev rev) {
    if (message.seq().compareTo(newest) <= 0) {
      return false;
    }
    newest = message.seq();
    remember(message, rev);
    return true;
  }

  private boolean edited(ChatMessage message, Rev rev) {
    Rev state = message.stateRev().isAfter(rev) ? message.stateRev() : rev;
    boolean isNew = isBehind(message.seq(), state);
    if (isNew) {
      remember(message, rev);
    }
    return isNew;
  }

  private boolean isBehind(Seq seq, Rev state) {
    Rev known = ahead.get(seq);
    return known == null || state.isAfter(known);
  }

  private void remember(ChatMessage message, Rev position) {
    if (message.stateRev().isAfter(position)) {
      ahead.put(message.seq(), message.stateRev());
    }
  }

  /// The room has come to this rev, so older states are forgotten.
  void passed(Rev rev) {
    if (!ahead.isEmpty()) {
      ahead.values().removeIf(state -> !state.isAfter(rev));
    }
  }
}
