package io.confab.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// A message to be sent, with the id that all its tries share.
record Outgoing(
    RoomId roomId, ClientId clientId, String body, @Nullable Seq replyTo, @Nullable String topic) {

  /// The frame that sends it.
  ObjectNode frame() {
    ObjectNode frame =
        ClientJson.object()
            .put("type", "message.send")
            .put("id", clientId.value())
            .put("room_id", roomId.toString())
            .put("client_id", clientId.value())
            .put("body", body);
    if (replyTo != null) {
      frame.put("reply_to", replyTo.value());
    }
    if (topic != null) {
      frame.put("topic", topic);
    }
    return frame;
  }
}
