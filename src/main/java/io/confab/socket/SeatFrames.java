package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientFrame.RoomEnter;
import io.confab.protocol.ClientFrame.RoomExit;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame.Ok;
import io.confab.seat.SeatAnswers;
import io.confab.seat.SeatCommand.Exit;
import io.vertx.core.Future;

/// The frames by which an account enters a room with a capacity and leaves it. The other sessions
/// of the account are told as well.
record SeatFrames(Requests bus, LoopSeats seats) {
  void mount(Frames frames) {
    frames.mount("room.enter", Limit.JOINS, RoomEnter::read, this::enter);
    frames.mount("room.exit", Limit.JOINS, RoomExit::read, this::exit);
  }

  private Future<?> enter(FrameCall call, RoomEnter frame) {
    RoomId room = RoomId.parse(frame.roomId());
    return seats.enter(
        call.caller().account(),
        room,
        frame.place(),
        call.session(),
        state -> call.answer(SeatAnswers.of(call.id(), room, state)));
  }

  private Future<?> exit(FrameCall call, RoomExit frame) {
    RoomId room = RoomId.parse(frame.roomId());
    AccountId account = call.caller().account();
    return bus.request(new Exit(room, account))
        .onSuccess(
            _ -> {
              seats.left(account, room);
              call.answer(Ok.done(call.id()));
            });
  }
}
