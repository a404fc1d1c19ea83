package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.PATCH;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.message.Changed;
import io.confab.message.Draft;
import io.confab.message.MessageChange;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.message.MessageCommand.ReadVersions;
import io.confab.message.MessageRequests;
import io.confab.message.Seating;
import io.confab.protocol.AccountId;
import io.confab.protocol.EditFields;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.SendFields;
import io.confab.protocol.Seq;
import io.vertx.core.Future;

/// One message of a room: sending, editing, deleting it, and its versions.
final class MessageRoutes {
  private static final String MESSAGES = "/v1/rooms/:room_id/messages";
  private static final String MESSAGE = MESSAGES + "/:seq";
  private static final int VERSIONS = 50;

  private final Bus bus;
  private final int bodyBytes;
  private final MessageRequests messages;
  private final Seating seating;

  MessageRoutes(Bus bus, int bodyBytes, MessageRequests messages, Seating seating) {
    this.bus = bus;
    this.bodyBytes = bodyBytes;
    this.messages = messages;
    this.seating = seating;
  }

  void mount(Routes routes) {
    routes.signedIn(POST, MESSAGES, Limit.SENDS, this::send);
    routes.signedIn(GET, MESSAGE, Limit.READS, this::read);
    routes.signedIn(PATCH, MESSAGE, Limit.CHANGES, this::edit);
    routes.signedIn(DELETE, MESSAGE, Limit.CHANGES, this::delete);
    routes.signedIn(GET, MESSAGE + "/versions?after=&limit=", Limit.READS, this::readVersions);
  }

  private Future<Answer> send(AccountId caller, Call call) {
    RoomId room = call.room();
    Fields fields = call.body();
    SendFields send = SendFields.read(fields, bodyBytes);
    fields.end();
    Draft draft =
        new Draft(
            room, caller, send.clientId(), send.type(), send.body(), send.replyTo(), send.topic());
    return messages.send(draft).map(sent -> Answer.made(!sent.duplicate(), sent));
  }

  private Future<Answer> read(AccountId caller, Call call) {
    Seq seq = call.seq();
    ReadHistory only = ReadHistory.only(caller, call.room(), seq);
    return seating
        .attempt(caller, only.roomId(), inside -> bus.request(only.seated(inside)))
        .map(
            page ->
                page.messages().stream()
                    .filter(message -> message.seq().equals(seq))
                    .findFirst()
                    .map(Answer::ok)
                    .orElseThrow(
                        () -> new Refusal(ErrorCode.NOT_FOUND, "the room has no such message")));
  }

  private Future<Answer> edit(AccountId caller, Call call) {
    RoomId room = call.room();
    Seq seq = call.seq();
    Fields fields = call.body();
    EditFields edit = EditFields.read(fields, bodyBytes);
    fields.end();
    return change(new MessageChange.Edit(room, seq, caller, edit.clientId(), edit.body()));
  }

  private Future<Answer> delete(AccountId caller, Call call) {
    call.requireNoFields();
    return change(new MessageChange.Deletion(call.room(), call.seq(), caller));
  }

  private Future<Answer> change(MessageChange change) {
    return messages.change(change).map(Changed::message).map(Answer::ok);
  }

  private Future<Answer> readVersions(AccountId caller, Call call) {
    RoomId room = call.room();
    Long after = call.query().number("after");
    Seq seq = call.seq();
    Rev from = after == null ? null : new Rev(after);
    int limit = call.query().limit(VERSIONS);
    return seating
        .attempt(
            caller,
            room,
            inside -> bus.request(new ReadVersions(caller, room, seq, from, limit, inside)))
        .map(Answer::ok);
  }
}
