package io.confab.bus;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// A message as bytes: the name of its class and its JSON. Only records of this project that are
/// [BusMessage]s are ever made from it.
final class RecordCodec {
  private static final String PACKAGES = "io.confab.";

  private final ObjectMapper json = BusJson.mapper();

  void encode(Buffer buffer, BusMessage message) {
    byte[] name = message.getClass().getName().getBytes(StandardCharsets.UTF_8);
    byte[] body;
    try {
      body = json.writeValueAsBytes(message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    buffer.appendInt(name.length).appendBytes(name).appendInt(body.length).appendBytes(body);
  }

  BusMessage decode(int position, Buffer buffer) {
    int nameEnd = position + Integer.BYTES + buffer.getInt(position);
    String name = buffer.getString(position + Integer.BYTES, nameEnd);
    int bodyStart = nameEnd + Integer.BYTES;
    byte[] body = buffer.getBytes(bodyStart, bodyStart + buffer.getInt(nameEnd));
    try {
      return json.readValue(body, classOf(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<? extends BusMessage> classOf(String name) {
    try {
      if (name.startsWith(PACKAGES)) {
        Class<?> type = Class.forName(name, false, RecordCodec.class.getClassLoader());
        if (type.isRecord()) {
          return type.asSubclass(BusMessage.class);
        }
      }
      throw new IllegalArgumentException("not a message of the bus: " + name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("not a message of the bus: " + name, e);
    }
  }
}
