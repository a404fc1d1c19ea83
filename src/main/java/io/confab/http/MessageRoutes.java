package io.confab.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Lane;
import io.confab.message.Draft;
import io.confab.message.MessageCommand;
import io.confab.protocol.Caller;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.SendFields;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/// Messages of a room.
final class MessageRoutes {
  private static final int PAGE = 50;
  private static final int MOST_IN_PAGE = 200;

  private final Bus bus;
  private final int bodyBytes;

  MessageRoutes(Bus bus, int bodyBytes) {
    this.bus = bus;
    this.bodyBytes = bodyBytes;
  }

  void mount(Routes routes) {
    routes.signedIn(GET, "/v1/rooms/:room_id/messages?before=&after=&limit=", this::readHistory);
    routes.signedIn(POST, "/v1/rooms/:room_id/messages", this::send);
  }

  private Future<Answer> readHistory(Caller caller, Call call) {
    RoomId room = call.room();
    Query query = call.query();
    if (query.has("before") && query.has("after")) {
      throw Refusal.invalidField("after", "stands beside before");
    }
    var command =
        new MessageCommand.ReadHistory(
            caller.account(),
            room,
            seq(query.number("before")),
            seq(query.number("after")),
            query.limit("limit", PAGE, MOST_IN_PAGE));
    return ask(room, command).map(Answer::ok);
  }

  private static @Nullable Seq seq(@Nullable Long number) {
    return number == null ? null : new Seq(number);
  }

  private Future<Answer> send(Caller caller, Call call) {
    RoomId room = call.room();
    Fields fields = call.body();
    SendFields send = SendFields.read(fields, bodyBytes);
    fields.end();
    Draft draft =
        new Draft(
            room,
            caller.account(),
            send.clientId(),
            send.type(),
            send.body(),
            send.replyTo(),
            send.topic());
    return ask(room, new MessageCommand.Send(draft))
        .map(sent -> Answer.made(!sent.duplicate(), sent));
  }

  private <R extends BusMessage> Future<R> ask(RoomId room, MessageCommand<R> command) {
    return bus.request(MessageCommand.ADDRESS, Lane.of(room.value()), command);
  }
}
