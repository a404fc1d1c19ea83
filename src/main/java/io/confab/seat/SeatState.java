package io.confab.seat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.confab.bus.BusMessage;
import org.jspecify.annotations.Nullable;

/// How an account stands in a room with a capacity.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "state")
@JsonSubTypes({
  @JsonSubTypes.Type(value = SeatState.Inside.class, name = "inside"),
  @JsonSubTypes.Type(value = SeatState.Waiting.class, name = "waiting"),
  @JsonSubTypes.Type(value = SeatState.Offered.class, name = "offered"),
  @JsonSubTypes.Type(value = SeatState.Outside.class, name = "outside")
})
public sealed interface SeatState extends BusMessage {
  /// It has a seat.
  ///
  /// @param inside how many have one, this one too; offers are not among them
  /// @param began the rev with which the room's capacity did: it is named when the seat is claimed
  ///     that Redis has lost
  record Inside(long inside, long capacity, long began) implements SeatState {}

  /// It has a place in the line.
  ///
  /// @param position from 1
  /// @param ahead how many are before it
  /// @param waiting how many are in the line
  /// @param estimateS in how many seconds its turn may come; null: nobody knows
  /// @param place signed; with it the place is claimed when Redis has lost it
  /// @param version a [io.confab.feed.GivenSeat] with a higher one was given since
  record Waiting(
      long position, long ahead, long waiting, @Nullable Long estimateS, String place, long version)
      implements SeatState {}

  /// A seat is kept for it: who enters takes it up.
  ///
  /// @param until in milliseconds since 1970, by the clock of Redis
  record Offered(long until) implements SeatState {}

  /// It has neither, or the room has no capacity.
  record Outside() implements SeatState {}
}
