package io.confab.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes `envelope.receive` in two parts, JSON in UTF-8: a head for one device and a tail that all
/// devices share. The head does not end its object, the tail does.
public final class EnvelopeFrames {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();
  private static final int HEAD_BYTES = 64;
  private static final int TAIL_BYTES = 240;

  private EnvelopeFrames() {}

  /// @param body for this device alone
  public static byte[] head(QueueSeq seq, @Nullable String body) {
    return cut(
        HEAD_BYTES + (body == null ? 0 : body.length()),
        json -> {
          json.writeStringField("type", "envelope.receive");
          json.writeNumberField("queue_seq", seq.value());
          if (body != null) {
            json.writeStringField("body", body);
          }
        });
  }

  public static byte[] tail(Envelope envelope, Epoch epoch) {
    String payload = envelope.payload();
    byte[] object =
        whole(
            TAIL_BYTES + (payload == null ? 0 : payload.length()),
            json -> {
              json.writeNumberField("epoch", epoch.value());
              writeEnvelope(json, envelope);
            });
    object[0] = ',';
    return object;
  }

  /// The number of an envelope that has lost what it held.
  public static byte[] gone(QueueSeq seq, Epoch epoch) {
    return whole(
        HEAD_BYTES + HEAD_BYTES,
        json -> {
          json.writeStringField("type", "envelope.receive");
          json.writeNumberField("queue_seq", seq.value());
          json.writeNumberField("epoch", epoch.value());
          json.writeBooleanField("gone", true);
        });
  }

  private static void writeEnvelope(JsonGenerator json, Envelope envelope) throws IOException {
    if (envelope.roomId() != null) {
      json.writeStringField("room_id", envelope.roomId().toString());
    }
    if (envelope.seq() != null) {
      json.writeNumberField("seq", envelope.seq().value());
    }
    json.writeStringField("sender_id", envelope.senderId().toString());
    json.writeStringField("sender_device_id", envelope.senderDeviceId().value());
    json.writeStringField("client_id", envelope.clientId().value());
    json.writeNumberField("ts", envelope.ts());
    if (envelope.payload() != null) {
      json.writeStringField("payload", envelope.payload());
    }
    if (envelope.expiresAt() != null) {
      json.writeNumberField("expires_at", envelope.expiresAt());
    }
  }

  private static byte[] cut(int size, Content content) {
    byte[] object = whole(size, content);
    byte[] head = new byte[object.length - 1];
    System.arraycopy(object, 0, head, 0, head.length);
    return head;
  }

  private static byte[] whole(int size, Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(size);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      content.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /// Both parts as one text.
  public static String text(byte[] head, byte[] tail) {
    return new String(head, StandardCharsets.UTF_8) + new String(tail, StandardCharsets.UTF_8);
  }

  @FunctionalInterface
  private interface Content {
    void write(JsonGenerator json) throws IOException;
  }
}
