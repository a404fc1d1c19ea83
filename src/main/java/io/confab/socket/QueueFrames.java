package io.confab.socket;

import io.confab.limit.Limit;
import io.confab.protocol.ClientFrame.QueueAck;
import io.confab.protocol.ClientFrame.QueueOpen;
import io.confab.protocol.ClientFrame.QueueReject;
import io.confab.protocol.ServerFrame.Ok;
import io.vertx.core.Future;

/// The frames by which a device gets what waits for it in sealed rooms, and says that it has it.
record QueueFrames() {
  void mount(Frames frames) {
    frames.mount("queue.open", Limit.READS, QueueOpen::read, this::open);
    frames.mount("queue.ack", Limit.FRAMES, QueueAck::read, this::ack);
    frames.mount("queue.reject", Limit.WRITES, QueueReject::read, this::reject);
  }

  private Future<?> open(FrameCall call, QueueOpen frame) {
    return call.session().queue().open(call.id(), frame);
  }

  private Future<?> ack(FrameCall call, QueueAck frame) {
    return call.session()
        .queue()
        .ack(frame.queueSeq())
        .onSuccess(_ -> call.answer(Ok.done(call.id())));
  }

  private Future<?> reject(FrameCall call, QueueReject frame) {
    return call.session()
        .queue()
        .reject(frame.queueSeq(), frame.reason())
        .onSuccess(_ -> call.answer(Ok.done(call.id())));
  }
}
