package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;
import static io.vertx.core.http.HttpMethod.PUT;

import io.confab.bus.Bus;
import io.confab.bus.Done;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientFrame.RoomEnter;
import io.confab.protocol.Fields;
import io.confab.protocol.RoomId;
import io.confab.seat.SeatAnswers;
import io.confab.seat.SeatCommand.Enter;
import io.confab.seat.SeatCommand.Exit;
import io.confab.seat.SeatCommand.LetIn;
import io.confab.seat.SeatCommand.Look;
import io.confab.seat.SeatCommand.Remove;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/// Seats in rooms with a capacity, for callers without a session, and for those who look after
/// the room.
record SeatRoutes(Bus bus) {
  private static final String SEATS = "/v1/rooms/:room_id/seats";
  private static final String SEAT = SEATS + "/:account_id";

  void mount(Routes routes) {
    routes.signedIn(GET, SEATS, Limit.READS, this::look);
    routes.signedIn(POST, SEATS, Limit.JOINS, this::enter);
    routes.signedIn(PUT, SEAT, Limit.MEMBERS, this::letIn);
    routes.signedIn(DELETE, SEAT, Limit.JOINS, this::exit);
  }

  private Future<Answer> look(AccountId caller, Call call) {
    return bus.request(new Look(call.room(), caller)).map(Answer::ok);
  }

  private Future<Answer> enter(AccountId caller, Call call) {
    RoomId room = call.room();
    Fields fields = call.optionalBody();
    @Nullable String place = RoomEnter.place(fields);
    fields.end();
    return bus.request(new Enter(room, caller, false, place))
        .map(state -> Answer.ok(SeatAnswers.of(null, room, state)));
  }

  private Future<Answer> letIn(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId account = call.account(caller);
    call.requireNoFields();
    return bus.request(new LetIn(room, caller, account))
        .map(state -> Answer.ok(SeatAnswers.of(null, room, state)));
  }

  private Future<Answer> exit(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId account = call.account(caller);
    call.requireNoFields();
    Future<Done> gone =
        account.equals(caller)
            ? bus.request(new Exit(room, caller))
            : bus.request(new Remove(room, caller, account));
    return gone.map(_ -> Answer.noContent());
  }
}
