package io.confab.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import org.jspecify.annotations.Nullable;

/// What a client asks for its queue.
sealed interface QueueAsk {
  ObjectNode frame();

  /// To bring what stands behind a number.
  record Open(@Nullable Epoch epoch, QueueSeq after) implements QueueAsk {
    @Override
    public ObjectNode frame() {
      ObjectNode frame = of("queue.open").put("after", after.value());
      return epoch == null ? frame : frame.put("epoch", epoch.value());
    }
  }

  /// To send nothing again up to a number.
  record Acknowledge(Epoch epoch, QueueSeq upTo) implements QueueAsk {
    @Override
    public ObjectNode frame() {
      return of("queue.ack").put("queue_seq", upTo.value());
    }
  }

  /// To take one back that the device cannot read.
  record Reject(Epoch epoch, QueueSeq seq, String reason) implements QueueAsk {
    @Override
    public ObjectNode frame() {
      return of("queue.reject").put("queue_seq", seq.value()).put("reason", reason);
    }
  }

  private static ObjectNode of(String type) {
    return ClientJson.object().put("type", type);
  }
}
