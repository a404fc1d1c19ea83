package io.confab.client.sealedroom;

import io.confab.client.DeviceQueue;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import org.jspecify.annotations.Nullable;

/// The queue of this device over the connection of a [io.confab.client.ConfabClient].
record SocketQueue(DeviceQueue queue) implements QueueCalls {
  @Override
  public void open(@Nullable Epoch epoch, QueueSeq after) {
    queue.open(epoch, after);
  }

  @Override
  public void acknowledge(Epoch epoch, QueueSeq upTo) {
    queue.acknowledge(epoch, upTo);
  }

  @Override
  public void reject(Epoch epoch, QueueSeq queueSeq, String reason) {
    queue.reject(epoch, queueSeq, reason);
  }

  @Override
  public void startOver() {
    queue.startOver();
  }
}
