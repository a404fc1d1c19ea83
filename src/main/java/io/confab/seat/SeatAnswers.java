package io.confab.seat;

import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.SeatInside;
import io.confab.protocol.ServerFrame.SeatOffer;
import io.confab.protocol.ServerFrame.SeatWaiting;
import org.jspecify.annotations.Nullable;

/// How accounts stand, as clients are told: by frames of the socket, which HTTP answers too.
public final class SeatAnswers {
  private SeatAnswers() {}

  /// Of an account that has a seat or a place, or was offered one.
  ///
  /// @param re what it answers
  public static ServerFrame of(@Nullable String re, RoomId room, SeatState state) {
    return switch (state) {
      case SeatState.Inside(long inside, long capacity, _) ->
          new SeatInside(re, room, inside, capacity);
      case SeatState.Waiting waiting ->
          new SeatWaiting(
              re,
              room,
              waiting.position(),
              waiting.ahead(),
              waiting.waiting(),
              waiting.estimateS(),
              waiting.place());
      case SeatState.Offered(long until) -> new SeatOffer(re, room, until);
      case SeatState.Outside _ -> throw Refusal.unavailable("the seat is gone already");
    };
  }
}
