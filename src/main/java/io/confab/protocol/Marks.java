package io.confab.protocol;

import org.jspecify.annotations.Nullable;

/// How far a member has read and received in a room, and others its own messages there.
///
/// @param unreadFrom from where it wants to see messages as unread
/// @param othersRead the highest of its own messages that another member has read; 0: none
/// @param othersReceived the highest that another member has received, or read
public record Marks(
    Seq read, Seq delivered, @Nullable Seq unreadFrom, Seq othersRead, Seq othersReceived) {

  /// Those of a membership that begins when that is the newest message.
  public static Marks at(Seq newest) {
    return new Marks(newest, newest, null, Seq.ZERO, Seq.ZERO);
  }
}
