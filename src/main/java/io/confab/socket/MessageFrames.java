package io.confab.socket;

import io.confab.limit.Limit;
import io.confab.message.Draft;
import io.confab.message.MessageChange;
import io.confab.message.MessageChange.Deletion;
import io.confab.message.MessageChange.Edit;
import io.confab.message.MessageRequests;
import io.confab.message.Sent;
import io.confab.protocol.ClientFrame.MessageDelete;
import io.confab.protocol.ClientFrame.MessageEdit;
import io.confab.protocol.ClientFrame.MessageSend;
import io.confab.protocol.RoomId;
import io.confab.protocol.SendFields;
import io.confab.protocol.ServerFrame.MessageAck;
import io.confab.protocol.ServerFrame.Ok;
import io.vertx.core.Future;

/// The frames that send, edit and delete messages: a send is answered by `message.ack`, a change
/// by `ok` with its rev.
///
/// @param typing ends where a message is sent
/// @param bodyBytes the most that a body may have in UTF-8
record MessageFrames(MessageRequests messages, TypingFrames typing, int bodyBytes) {
  private static final String SENT = "sent";

  void mount(Frames frames) {
    frames.mount("message.send", Limit.SENDS, f -> MessageSend.read(f, bodyBytes), this::send);
    frames.mount("message.edit", Limit.CHANGES, f -> MessageEdit.read(f, bodyBytes), this::edit);
    frames.mount("message.delete", Limit.CHANGES, MessageDelete::read, this::delete);
  }

  private Future<?> send(FrameCall call, MessageSend frame) {
    Draft draft = draft(call, frame.roomId(), frame.send());
    typing.sends(call.session(), draft.roomId());
    return messages.send(draft).onSuccess(sent -> call.answer(acknowledgement(call, frame, sent)));
  }

  private static Draft draft(FrameCall call, String room, SendFields send) {
    return new Draft(
        RoomId.parse(room),
        call.caller().account(),
        send.clientId(),
        send.type(),
        send.body(),
        send.replyTo(),
        send.topic());
  }

  private static MessageAck acknowledgement(FrameCall call, MessageSend frame, Sent sent) {
    return new MessageAck(
        call.id(),
        sent.roomId(),
        sent.clientId(),
        frame.localId(),
        sent.seq(),
        sent.rev(),
        sent.ts(),
        SENT,
        sent.duplicate() ? true : null);
  }

  private Future<?> edit(FrameCall call, MessageEdit edit) {
    return change(
        call,
        new Edit(
            RoomId.parse(edit.roomId()),
            edit.seq(),
            call.caller().account(),
            edit.clientId(),
            edit.body()));
  }

  private Future<?> delete(FrameCall call, MessageDelete delete) {
    return change(
        call, new Deletion(RoomId.parse(delete.roomId()), delete.seq(), call.caller().account()));
  }

  private Future<?> change(FrameCall call, MessageChange change) {
    return messages
        .change(change)
        .onSuccess(changed -> call.answer(Ok.changed(call.id(), changed.rev())));
  }
}
