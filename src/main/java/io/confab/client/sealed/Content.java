package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import java.nio.charset.StandardCharsets;

/// The text that a payload encrypts: filled up, so that its length tells little.
final class Content {
  static final String LINE = "confab.line";

  private static final int STEP = 160;

  private Content() {}

  static String line(RoomId room, ClientId clientId, String text) {
    ObjectNode content = SealedJson.object();
    content.put("client_id", clientId.value()).put("text", text).put("pad", "");
    ObjectNode event = SealedJson.object().put("type", LINE).put("room_id", OlmNames.of(room));
    event.set("content", content);
    int length = SealedJson.write(event).getBytes(StandardCharsets.UTF_8).length;
    content.put("pad", " ".repeat(Math.floorMod(-length, STEP)));
    return SealedJson.write(event);
  }
}
