package io.confab.socket;

import io.confab.limit.Limit;
import io.confab.message.MessageRequests;
import io.confab.protocol.ClientFrame.EnvelopeSend;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame.EnvelopeAck;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeSent;
import io.vertx.core.Future;

/// The frame that sends to sealed rooms, answered by `envelope.ack`.
///
/// @param typing ends where a message is sent
record EnvelopeSendFrames(MessageRequests messages, TypingFrames typing) {
  private static final String SENT = "sent";

  void mount(Frames frames) {
    frames.mount("envelope.send", Limit.SENDS, EnvelopeSend::read, this::send);
  }

  private Future<?> send(FrameCall call, EnvelopeSend frame) {
    EnvelopeDraft draft =
        EnvelopeDraft.of(RoomId.parse(frame.roomId()), call.caller(), frame.send());
    if (!draft.silent()) {
      typing.sends(call.session(), draft.room());
    }
    return messages.put(draft).onSuccess(sent -> call.answer(acknowledgement(call, frame, sent)));
  }

  private static EnvelopeAck acknowledgement(
      FrameCall call, EnvelopeSend frame, EnvelopeSent sent) {
    return new EnvelopeAck(
        call.id(),
        frame.roomId(),
        sent.clientId(),
        frame.localId(),
        sent.seq(),
        sent.ts(),
        SENT,
        sent.duplicate() ? true : null,
        sent.full());
  }
}
