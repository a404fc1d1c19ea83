package io.confab.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Writes the frames of numbered changes, `message.receive` and `room.event`: JSON in UTF-8,
/// the same bytes for everybody.
public final class EventFrames {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();
  private static final int HEAD_BYTES = 320;
  private static final byte[] TS = "\"ts\":".getBytes(StandardCharsets.UTF_8);

  private EventFrames() {}

  /// Where, when and by whom a room was changed.
  ///
  /// @param ts milliseconds since 1970 by PostgreSQL's clock
  public record Stamp(RoomId roomId, Rev rev, Epoch epoch, AccountId actorId, long ts) {}

  /// A `message.receive`.
  public static byte[] message(Message message, Epoch epoch) {
    return frame(
        size(message),
        json -> {
          json.writeStringField("type", "message.receive");
          writeMessage(json, message);
          json.writeNumberField("epoch", epoch.value());
        });
  }

  /// The `ts` of a `message.receive`, without decoding it: it stands behind all that people have
  /// written, so the search begins at the end.
  public static OptionalLong ts(byte[] frame) {
    for (int at = frame.length - TS.length - 1; at >= 0; at--) {
      if (Arrays.equals(frame, at, at + TS.length, TS, 0, TS.length)) {
        return OptionalLong.of(number(frame, at + TS.length));
      }
    }
    return OptionalLong.empty();
  }

  private static long number(byte[] text, int from) {
    long number = 0;
    for (int at = from; at < text.length && text[at] >= '0' && text[at] <= '9'; at++) {
      number = number * 10 + text[at] - '0';
    }
    return number;
  }

  private static int size(Message message) {
    String body = message.body();
    return HEAD_BYTES + (body == null ? 0 : body.length());
  }

  private static void writeMessage(JsonGenerator json, Message message) throws IOException {
    json.writeStringField("room_id", message.roomId().toString());
    json.writeNumberField("seq", message.seq().value());
    json.writeNumberField("rev", message.rev().value());
    Rev changed = message.changedRev();
    writeIfPresent(json, "changed_rev", changed == null ? null : changed.value());
    json.writeStringField("sender_id", message.senderId().toString());
    json.writeStringField("client_id", message.clientId().value());
    json.writeStringField("msg_type", message.type().wire());
    writeIfPresent(json, "body", message.body());
    Seq replyTo = message.replyTo();
    writeIfPresent(json, "reply_to", replyTo == null ? null : replyTo.value());
    writeIfPresent(json, "topic", message.topic());
    writeMentions(json, message.mentions());
    json.writeNumberField("ts", message.ts());
    writeIfPresent(json, "edited_at", message.editedAt());
    writeIfPresent(json, "deleted_at", message.deletedAt());
    AccountId deletedBy = message.deletedBy();
    writeIfPresent(json, "deleted_by", deletedBy == null ? null : deletedBy.toString());
  }

  private static void writeMentions(JsonGenerator json, @Nullable List<Mention> mentions)
      throws IOException {
    if (mentions != null) {
      json.writeArrayFieldStart("mentions");
      for (Mention mention : mentions) {
        json.writeString(mention.toString());
      }
      json.writeEndArray();
    }
  }

  /// A `room.event`.
  public static byte[] change(Stamp stamp, RoomChange change) {
    return change(stamp, change.kind(), json -> writeFields(json, change));
  }

  /// A `room.event` of the kind `sealed`: a message that devices get by their queues.
  public static byte[] sealed(Stamp stamp, Seq seq) {
    return change(stamp, "sealed", json -> json.writeNumberField("seq", seq.value()));
  }

  /// A `room.event` of any kind.
  ///
  /// @param data the fields of its kind, a JSON object
  public static byte[] change(Stamp stamp, String kind, String data) {
    return change(stamp, kind, json -> copyFields(json, data));
  }

  private static byte[] change(Stamp stamp, String kind, Fields fields) {
    return frame(
        HEAD_BYTES,
        json -> {
          json.writeStringField("type", "room.event");
          json.writeStringField("room_id", stamp.roomId().toString());
          json.writeNumberField("rev", stamp.rev().value());
          json.writeNumberField("epoch", stamp.epoch().value());
          json.writeStringField("kind", kind);
          json.writeStringField("actor_id", stamp.actorId().toString());
          json.writeNumberField("ts", stamp.ts());
          fields.write(json);
        });
  }

  private static void writeFields(JsonGenerator json, RoomChange change) throws IOException {
    switch (change) {
      case RoomChange.MessageEdited(Message message, _) -> {
        json.writeObjectFieldStart("message");
        writeMessage(json, message);
        json.writeEndObject();
      }
      case RoomChange.MessageDeleted(Seq seq, AccountId by) -> {
        json.writeNumberField("seq", seq.value());
        json.writeStringField("deleted_by", by.toString());
      }
    }
  }

  /// A `room.event` of kind `hidden`: all that is told of a change whose content the reader may
  /// not see.
  public static byte[] hidden(RoomId room, Rev rev, Epoch epoch) {
    return frame(
        HEAD_BYTES,
        json -> {
          json.writeStringField("type", "room.event");
          json.writeStringField("room_id", room.toString());
          json.writeNumberField("rev", rev.value());
          json.writeNumberField("epoch", epoch.value());
          json.writeStringField("kind", "hidden");
        });
  }

  private static void copyFields(JsonGenerator json, String data) throws IOException {
    try (JsonParser parser = JSON.createParser(data)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        json.copyCurrentStructure(parser);
      }
    }
  }

  private static void writeIfPresent(JsonGenerator json, String field, @Nullable String value)
      throws IOException {
    if (value != null) {
      json.writeStringField(field, value);
    }
  }

  private static void writeIfPresent(JsonGenerator json, String field, @Nullable Long value)
      throws IOException {
    if (value != null) {
      json.writeNumberField(field, value);
    }
  }

  private static byte[] frame(int size, Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(size);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @FunctionalInterface
  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }
}
