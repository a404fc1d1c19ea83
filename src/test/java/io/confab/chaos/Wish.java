package io.confab.chaos;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// Something that a device wants of the server until it is acknowledged, and how its tries went.
final class Wish {
  /// What is asked for.
  enum Kind {
    SEND,
    EDIT,
    DELETE
  }

  final Kind kind;
  final String room;
  final String clientId;

  /// Of the message to change; 0 for one that is sent.
  final long seq;

  final String body;

  /// Of the try that is under way.
  @Nullable String request;

  long triedAt;
  long nextTry;

  /// Sent once more after its acknowledgement, on purpose.
  boolean again;

  Wish(Kind kind, String room, String clientId, long seq, String body) {
    this.kind = kind;
    this.room = room;
    this.clientId = clientId;
    this.seq = seq;
    this.body = body;
  }

  String bodyHash() {
    return kind == Kind.DELETE ? "" : BodyText.hash(body);
  }

  JsonObject frame(String id) {
    JsonObject frame = new JsonObject().put("id", id).put("room_id", room);
    return switch (kind) {
      case SEND -> frame.put("type", "message.send").put("client_id", clientId).put("body", body);
      case EDIT ->
          frame
              .put("type", "message.edit")
              .put("seq", seq)
              .put("client_id", clientId)
              .put("body", body);
      case DELETE -> frame.put("type", "message.delete").put("seq", seq);
    };
  }
}
