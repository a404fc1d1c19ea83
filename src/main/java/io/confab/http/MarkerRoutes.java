package io.confab.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.PUT;

import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.marker.MarkerCommand.Kind;
import io.confab.marker.MarkerCommand.MarkerView;
import io.confab.marker.MarkerCommand.MoveMarker;
import io.confab.marker.MarkerCommand.ReadReaders;
import io.confab.marker.MarkerCommand.ReadUnread;
import io.confab.message.Seating;
import io.confab.protocol.AccountId;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;

/// What the caller has read and has not, and who has read a message.
record MarkerRoutes(Bus bus, Seating seating) {
  void mount(Routes routes) {
    routes.signedIn(PUT, "/v1/rooms/:room_id/read", Limit.MARKERS, this::read);
    routes.signedIn(PUT, "/v1/rooms/:room_id/unread", Limit.MARKERS, this::markUnread);
    routes.signedIn(GET, "/v1/unread", Limit.READS, this::unread);
    routes.signedIn(
        GET, "/v1/rooms/:room_id/readers?seq=&after=&limit=", Limit.READS, this::readers);
  }

  private Future<Answer> read(AccountId caller, Call call) {
    return move(caller, call, Kind.READ);
  }

  private Future<Answer> markUnread(AccountId caller, Call call) {
    return move(caller, call, Kind.UNREAD);
  }

  private Future<Answer> move(AccountId caller, Call call, Kind kind) {
    RoomId room = call.room();
    Fields fields = call.body();
    Seq seq = Seq.read(fields, "seq");
    fields.end();
    return bus.request(new MoveMarker(caller, room, kind, seq, null))
        .map(MarkerView::marker)
        .map(Answer::ok);
  }

  private Future<Answer> unread(AccountId caller, Call call) {
    return bus.request(new ReadUnread(caller)).map(Answer::ok);
  }

  private Future<Answer> readers(AccountId caller, Call call) {
    RoomId room = call.room();
    Query query = call.query();
    long seq = query.requiredNumber("seq");
    if (seq == 0) {
      throw Refusal.invalidField("seq", "must be a whole number from 1 on");
    }
    AccountId after = query.after(AccountId::parse);
    int limit = query.limit();
    return seating
        .attempt(
            caller,
            room,
            inside ->
                bus.request(new ReadReaders(caller, room, new Seq(seq), after, limit, inside)))
        .map(Answer::ok);
  }
}
