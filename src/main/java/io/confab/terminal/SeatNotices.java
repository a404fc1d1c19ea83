package io.confab.terminal;

import io.confab.client.RoomSignal.OfSeat;
import io.confab.client.RoomSignal.SeatInside;
import io.confab.client.RoomSignal.SeatLost;
import io.confab.client.RoomSignal.SeatOffer;
import io.confab.client.RoomSignal.SeatWaiting;
import io.confab.client.RoomSignal.Standing;
import io.confab.protocol.RoomId;
import io.confab.screen.Screen;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Where the account is inside, or in a line: in the status, and a line for each change of it. For
/// one thread.
final class SeatNotices {
  private static final long MINUTE = 60;

  private final Screen screen;
  private final Function<RoomId, String> titles;
  private final Map<RoomId, Standing> standings = new HashMap<>();

  /// @param titles of other rooms, safe to print
  SeatNotices(Screen screen, Function<RoomId, String> titles) {
    this.screen = screen;
    this.titles = titles;
  }

  /// @param open the room on the screen; what is told before there is one is only kept
  void told(OfSeat told, Optional<RoomId> open) {
    RoomId room = told.roomId();
    Standing before =
        switch (told) {
          case Standing now -> standings.put(room, now);
          case SeatLost _ -> standings.remove(room);
        };
    open.flatMap(shown -> news(before, told, where(room, shown)))
        .ifPresent(line -> screen.line("* " + line));
  }

  private String where(RoomId room, RoomId shown) {
    return room.equals(shown) ? "" : titles.apply(room) + ": ";
  }

  private Optional<String> news(@Nullable Standing before, OfSeat now, String where) {
    return switch (now) {
      case SeatInside inside when before instanceof SeatInside -> Optional.empty();
      case SeatInside inside -> Optional.of(where + "you are " + text(inside));
      case SeatWaiting waiting when before instanceof SeatWaiting earlier ->
          screen.isTerminal() || earlier.position() == waiting.position()
              ? Optional.empty()
              : Optional.of(where + text(waiting));
      case SeatWaiting waiting ->
          Optional.of(
              where
                  + "you wait, "
                  + text(waiting)
                  + "; you get in by yourself, and /exit gives the place up");
      case SeatOffer _ -> Optional.empty();
      case SeatLost lost -> Optional.of(where + "you are outside" + why(lost.reason()));
    };
  }

  private static String why(String reason) {
    return switch (reason) {
      case "removed" -> ": who looks after this room wanted it; /enter waits for another seat";
      case "expired" -> ": you were away for too long; /enter waits for another seat";
      default -> "";
    };
  }

  /// How one stands in a room; empty where one is outside.
  Optional<String> text(RoomId room) {
    return Optional.ofNullable(standings.get(room)).map(SeatNotices::text);
  }

  private static String text(Standing standing) {
    return switch (standing) {
      case SeatInside inside -> "inside %d of %d".formatted(inside.inside(), inside.capacity());
      case SeatWaiting waiting ->
          "place %d of %d%s"
              .formatted(waiting.position(), waiting.waiting(), about(waiting.estimateS()));
      case SeatOffer _ -> "a seat is kept for you";
    };
  }

  private static String about(@Nullable Long seconds) {
    if (seconds == null) {
      return "";
    }
    return seconds < MINUTE
        ? ", less than a minute"
        : ", about %d min".formatted(Math.ceilDiv(seconds, MINUTE));
  }

  /// The room is no longer the account's.
  void end(RoomId room) {
    standings.remove(room);
  }
}
