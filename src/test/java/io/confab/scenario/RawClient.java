package io.confab.scenario;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A client that makes its WebSocket frames by hand (RFC 6455 §5.2) and can therefore send what
/// no library would. Blocks, 20 s at most for each read.
final class RawClient implements AutoCloseable {
  static final int TEXT = 0x81;
  static final int BINARY = 0x82;
  static final int COMPRESSED_TEXT = 0xC1;

  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int OPCODE = 0x0F;
  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7F;
  private static final int IN_16_BITS = 126;
  private static final int IN_64_BITS = 127;
  private static final int PATIENCE_MS = 20_000;
  private static final byte[] MASK = {1, 2, 3, 4};

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final String upgraded;

  /// Upgrades; these headers come with those that an upgrade needs.
  RawClient(int port, String... headers) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MS);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
    List<String> lines =
        new ArrayList<>(
            List.of(
                "GET /v1/socket HTTP/1.1",
                "host: localhost",
                "connection: upgrade",
                "upgrade: websocket",
                "sec-websocket-version: 13",
                "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
                "sec-websocket-protocol: confab.v1"));
    lines.addAll(List.of(headers));
    out.write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
    upgraded = readHead();
  }

  private String readHead() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    return head.toString();
  }

  /// The head of the answer to the upgrade.
  String upgraded() {
    return upgraded;
  }

  /// Says hello with an access token and waits for the welcome.
  static RawClient welcomed(int port, String token) throws IOException {
    RawClient client = new RawClient(port);
    client.text(new JsonObject().put("type", "hello").put("token", token).encode());
    JsonObject answer = client.next();
    if (!"welcome".equals(answer.getString("type"))) {
      throw new AssertionError("no welcome but " + answer);
    }
    return client;
  }

  void text(String text) throws IOException {
    frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /// Sends a frame, masked, with this first byte.
  void frame(int first, byte[] payload) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream frame = new DataOutputStream(bytes);
    frame.writeByte(first);
    if (payload.length < IN_16_BITS) {
      frame.writeByte(MASKED | payload.length);
    } else if (payload.length <= 0xFFFF) {
      frame.writeByte(MASKED | IN_16_BITS);
      frame.writeShort(payload.length);
    } else {
      frame.writeByte(MASKED | IN_64_BITS);
      frame.writeLong(payload.length);
    }
    frame.write(MASK);
    for (int i = 0; i < payload.length; i++) {
      frame.writeByte(payload[i] ^ MASK[i & 3]);
    }
    bytes(bytes.toByteArray());
  }

  /// Sends bytes as they are.
  void bytes(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  /// The next text frame. A close of the server's is an error here.
  JsonObject next() throws IOException {
    while (true) {
      Frame frame = read();
      if (frame.opcode() == CLOSE) {
        throw new AssertionError("closed with " + frame.closeCode());
      }
      if (frame.opcode() != PING) {
        return new JsonObject(frame.text());
      }
    }
  }

  /// The next text frame that is not an event of a room.
  JsonObject answer() throws IOException {
    JsonObject frame = next();
    while (List.of("message.receive", "room.event").contains(frame.getString("type"))) {
      frame = next();
    }
    return frame;
  }

  /// The code with which the server closes, reading over what else it says; -1 when it closes the
  /// connection without a word.
  int closeCode() throws IOException {
    try {
      Frame frame = read();
      while (frame.opcode() != CLOSE) {
        frame = read();
      }
      return frame.closeCode();
    } catch (EOFException | SocketException _) {
      return -1;
    }
  }

  private record Frame(int opcode, byte[] payload) {
    String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }

    int closeCode() {
      return payload.length < 2 ? 1005 : (payload[0] & 0xFF) << 8 | (payload[1] & 0xFF);
    }
  }

  private Frame read() throws IOException {
    int opcode = in.readUnsignedByte() & OPCODE;
    int length = in.readUnsignedByte() & LENGTH;
    long bytes =
        switch (length) {
          case IN_16_BITS -> in.readUnsignedShort();
          case IN_64_BITS -> in.readLong();
          default -> length;
        };
    return new Frame(opcode, in.readNBytes(Math.toIntExact(bytes)));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
