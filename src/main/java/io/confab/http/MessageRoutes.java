package io.confab.http;

import static io.vertx.core.http.HttpMethod.POST;

import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Lane;
import io.confab.message.Draft;
import io.confab.message.MessageCommand;
import io.confab.protocol.Caller;
import io.confab.protocol.Fields;
import io.confab.protocol.RoomId;
import io.confab.protocol.SendFields;
import io.vertx.core.Future;

/// Sends messages.
final class MessageRoutes {
  private final Bus bus;
  private final int bodyBytes;

  MessageRoutes(Bus bus, int bodyBytes) {
    this.bus = bus;
    this.bodyBytes = bodyBytes;
  }

  void mount(Routes routes) {
    routes.signedIn(POST, "/v1/rooms/:room_id/messages", this::send);
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
