package io.confab.client;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import java.util.List;

/// A page of a room's messages, oldest first.
///
/// @param seq the newest message of the room, read before the page
/// @param rev the newest change of the room, read before the page: the page may know more
public record HistoryPage(
    List<ChatMessage> messages, boolean hasOlder, boolean hasNewer, Epoch epoch, Seq seq, Rev rev) {
  public HistoryPage {
    messages = messages == null ? List.of() : List.copyOf(messages);
  }
}
