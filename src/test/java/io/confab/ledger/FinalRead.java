package io.confab.ledger;

import java.util.List;

/// All of a room as one way of reading finds it at the end, when nothing is under way any more.
///
/// @param source of the reading, as in `sql`; the first source given for a room is believed
/// @param rev the room's last one, be it of a message or of another event
/// @param messages in the order of seq
public record FinalRead(String source, String room, long epoch, long rev, List<Stored> messages) {
  public FinalRead {
    messages = List.copyOf(messages);
  }
}
