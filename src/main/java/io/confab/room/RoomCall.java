package io.confab.room;

import io.confab.feed.AccountSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A change of a room: the call of a function of the database, which decides and makes it in one
/// transaction.
///
/// @param arguments after the room
/// @param signals due if a membership begins or ends
/// @param member of whom the caller is told
record RoomCall(
    RoomId room,
    String function,
    List<@Nullable Object> arguments,
    List<AccountSignal> signals,
    @Nullable AccountId member) {
  private static final int CALL_BYTES = 600;
  private static final int SIGNAL_BYTES = 64;
  private static final int VALUE_BYTES = 32;

  static RoomCall of(RoomId room, String function, @Nullable Object... arguments) {
    return new RoomCall(room, function, Arrays.asList(arguments), List.of(), null);
  }

  RoomCall signalling(List<AccountSignal> due) {
    return new RoomCall(room, function, arguments, due, member);
  }

  /// About what it takes while it waits.
  int bytes() {
    return CALL_BYTES
        + SIGNAL_BYTES * signals.size()
        + arguments.stream().mapToInt(RoomCall::bytes).sum();
  }

  private static int bytes(@Nullable Object argument) {
    return switch (argument) {
      case String text -> Character.BYTES * text.length();
      case Object[] many -> VALUE_BYTES * many.length;
      case null, default -> VALUE_BYTES;
    };
  }

  RoomCall showing(AccountId one) {
    return new RoomCall(room, function, arguments, signals, one);
  }
}
