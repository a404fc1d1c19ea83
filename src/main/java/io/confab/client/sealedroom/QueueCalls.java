package io.confab.client.sealedroom;

import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import org.jspecify.annotations.Nullable;

/// What is asked of the queue of this device, as [io.confab.client.DeviceQueue] says.
interface QueueCalls {
  void open(@Nullable Epoch epoch, QueueSeq after);

  void acknowledge(Epoch epoch, QueueSeq upTo);

  void reject(Epoch epoch, QueueSeq queueSeq, String reason);

  void startOver();
}
