package io.confab.socket;

import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.message.Draft;
import io.confab.message.MessageRequests;
import io.confab.message.Sent;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientFrame.MessageSend;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame.ErrorFrame;
import io.confab.protocol.ServerFrame.MessageAck;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/// The sends of one session: each is answered by `message.ack` or by an error that names its
/// `client_id`.
final class Sends {
  private static final String SENT = "sent";

  private final MessageRequests messages;
  private final Limits limits;
  private final Outbound out;

  Sends(MessageRequests messages, Limits limits, Outbound out) {
    this.messages = messages;
    this.limits = limits;
    this.out = out;
  }

  /// Done when the send is answered; never fails.
  Future<Void> send(@Nullable String re, Caller caller, MessageSend frame) {
    ClientId clientId = frame.send().clientId();
    return Future.succeededFuture()
        .map(_ -> admitted(draft(caller, frame)))
        .compose(messages::send)
        .onSuccess(sent -> out.send(acknowledgement(re, frame.localId(), sent)))
        .onFailure(no -> out.send(ErrorFrame.of(re, Refusals.of(no), clientId)))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private Draft admitted(Draft draft) {
    limits.take(Limit.SENDS, draft.senderId().toString());
    return draft;
  }

  private static Draft draft(Caller caller, MessageSend frame) {
    return new Draft(
        RoomId.parse(frame.roomId()),
        caller.account(),
        frame.send().clientId(),
        frame.send().type(),
        frame.send().body(),
        frame.send().replyTo(),
        frame.send().topic());
  }

  private static MessageAck acknowledgement(
      @Nullable String re, @Nullable String localId, Sent sent) {
    return new MessageAck(
        re,
        sent.roomId(),
        sent.clientId(),
        localId,
        sent.seq(),
        sent.rev(),
        sent.ts(),
        SENT,
        sent.duplicate() ? true : null);
  }
}
