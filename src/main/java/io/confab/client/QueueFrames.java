package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.QueueSeq;
import java.util.Optional;

/// Reads what servers tell of queues and of keys.
final class QueueFrames {
  private QueueFrames() {}

  /// Empty: it is about something else.
  static Optional<QueueEvent> read(JsonNode frame) {
    return switch (frame.path("type").asText()) {
      case "queue.opened" -> Optional.of(ClientJson.read(frame, QueueEvent.Opened.class));
      case "envelope.receive" -> Optional.of(new QueueEvent.Came(envelope(frame)));
      case "queue.empty" ->
          Optional.of(new QueueEvent.Drained(new QueueSeq(frame.path("queue_seq").asLong())));
      case "keys.low" -> Optional.of(ClientJson.read(frame, QueueEvent.KeysLow.class));
      case "devices.changed" ->
          Optional.of(ClientJson.read(frame, QueueEvent.DevicesChanged.class));
      default -> Optional.empty();
    };
  }

  private static QueuedEnvelope envelope(JsonNode frame) {
    return frame.path("gone").asBoolean()
        ? ClientJson.read(frame, QueuedEnvelope.Gone.class)
        : ClientJson.read(frame, QueuedEnvelope.Content.class);
  }
}
