package io.confab.chaos;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Something that a device wants to send to a sealed room until it is acknowledged. Its words stay
/// the same from one try to the next, unless it is told of other devices.
final class Letter {
  /// What it is.
  enum Kind {
    MESSAGE,
    SILENT,
    /// Silent, and to nobody but those who have no key yet.
    KEYS
  }

  final Kind kind;
  final String room;
  final String clientId;

  /// What is said to whom; null until it is written.
  @Nullable Words words;

  /// Of the try that is under way.
  @Nullable String request;

  long triedAt;
  long nextTry;

  /// A try may have been stored, and nobody knows.
  boolean unknown;

  /// What the letter says once the devices are known.
  ///
  /// @param payload null: keys alone
  record Words(
      String digest, String devices, List<JsonObject> to, String key, @Nullable String payload) {
    List<Long> registrations() {
      return to.stream().map(each -> each.getLong("registration_id")).toList();
    }

    /// With commas.
    String bodies() {
      return registrations().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    String payloadHash() {
      return payload == null ? "" : BodyText.hash(payload);
    }
  }

  Letter(Kind kind, String room, String clientId) {
    this.kind = kind;
    this.room = room;
    this.clientId = clientId;
  }

  boolean isSilent() {
    return kind != Kind.MESSAGE;
  }

  /// For the devices as they are known now.
  Words write(RoomDevices devices, RandomGenerator random) {
    String key = devices.nextKey();
    List<JsonObject> to = devices.without();
    boolean keysAlone = kind == Kind.KEYS && !to.isEmpty();
    String payload = keysAlone ? null : MadeUpSuite.payload(key, clientId, random);
    Words written = new Words(devices.digest(), devices.numbers(), to, key, payload);
    words = written;
    return written;
  }

  static JsonObject frame(Letter letter, Words words, String id) {
    JsonObject frame =
        new JsonObject()
            .put("type", "envelope.send")
            .put("id", id)
            .put("room_id", letter.room)
            .put("client_id", letter.clientId)
            .put("devices", words.digest());
    if (words.payload() != null) {
      frame.put("payload", words.payload());
    }
    if (!words.to().isEmpty()) {
      JsonArray bodies = new JsonArray();
      for (JsonObject each : words.to()) {
        long registration = each.getLong("registration_id");
        bodies.add(each.copy().put("body", MadeUpSuite.body(words.key(), registration)));
      }
      frame.put("envelopes", bodies);
    }
    if (letter.isSilent()) {
      frame.put("silent", true);
    }
    return frame;
  }
}
