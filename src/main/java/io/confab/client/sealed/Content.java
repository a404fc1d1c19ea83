package io.confab.client.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The text that a payload encrypts: filled up, so that its length tells little.
final class Content {
  static final String LINE = "confab.line";

  private static final String EXPIRES_IN_S = "expires_in_s";
  private static final int STEP = 160;

  private Content() {}

  static String line(RoomId room, ClientId clientId, String text, @Nullable Integer expiresInS) {
    ObjectNode content = SealedJson.object();
    content.put("client_id", clientId.value()).put("text", text);
    if (expiresInS != null) {
      content.put(EXPIRES_IN_S, expiresInS);
    }
    content.put("pad", "");
    ObjectNode event = SealedJson.object().put("type", LINE).put("room_id", OlmNames.of(room));
    event.set("content", content);
    int length = SealedJson.write(event).getBytes(StandardCharsets.UTF_8).length;
    content.put("pad", " ".repeat(Math.floorMod(-length, STEP)));
    return SealedJson.write(event);
  }

  /// The lifetime of a line in seconds: the shorter one of what its writer and the server say.
  /// Doubt: MALFORMED.
  static @Nullable Integer lifetime(ObjectNode content, Received.Envelope envelope) {
    Integer said = said(content);
    Long end = envelope.expiresAt();
    if (end == null) {
      return said;
    }
    int told = Math.clamp(Math.ceilDiv(end - envelope.ts(), 1_000L), 0, Integer.MAX_VALUE);
    return said == null ? told : Math.min(said, told);
  }

  private static @Nullable Integer said(ObjectNode content) {
    JsonNode seconds = content.get(EXPIRES_IN_S);
    if (seconds == null) {
      return null;
    }
    if (!seconds.isInt() || seconds.intValue() < 1) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    return seconds.intValue();
  }
}
