package io.confab.terminal;

import io.confab.client.ChatRoom;
import java.util.Objects;

/// What somebody has not read in a room.
///
/// @param mentions how many of the messages mention them
public record Unread(long messages, long mentions) {
  private static final Unread NONE = new Unread(0, 0);

  /// What a list of rooms says; nothing where the room came in another way.
  public static Unread of(ChatRoom room) {
    return new Unread(
        Objects.requireNonNullElse(room.unread(), 0L),
        Objects.requireNonNullElse(room.mentions(), 0L));
  }

  static Unread none() {
    return NONE;
  }

  Unread and(Unread more) {
    return new Unread(messages + more.messages, mentions + more.mentions);
  }

  boolean isNone() {
    return messages == 0;
  }

  /// The number, and that of mentions behind an `@`, such as `5 (@1)`.
  String number() {
    return messages + mentioned();
  }

  /// For the end of a line about the room, with the space before it; empty when all is read.
  public String suffix() {
    return isNone() ? "" : "  %d unread%s".formatted(messages, mentioned());
  }

  private String mentioned() {
    return mentions == 0 ? "" : " (@" + mentions + ")";
  }
}
