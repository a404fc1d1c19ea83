package io.confab.scenario;

import io.confab.contract.Contract;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A client that makes its bytes by hand, and so can be wrong in every way. It answers nothing
/// by itself, no ping and no close.
public final class RawSocket implements AutoCloseable {
  public static final int LAST = 0x80;
  public static final int COMPRESSED = 0x40;
  public static final int TEXT = 1;
  public static final int BINARY = 2;
  public static final int CONTINUATION = 0;
  public static final int CLOSE = 8;
  public static final int PING = 9;
  public static final int PONG = 10;

  private static final int PATIENCE_MS = 60_000;
  private static final byte[] MASK = {0x37, (byte) 0xfa, 0x21, 0x3d};
  private static final String UPGRADE =
      """
      GET %s HTTP/1.1
      host: localhost
      connection: upgrade
      upgrade: websocket
      sec-websocket-version: 13
      sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==
      sec-websocket-protocol: confab.v1
      """;

  private final Socket socket;
  private final DataInputStream in;
  private final String head;

  /// How a connection ended: the close code, or -1 without a close frame, and all that was said
  /// before.
  public record Ending(int code, List<JsonObject> frames) {
    public JsonObject goodbye() {
      return frames.getLast();
    }
  }

  private record Frame(int opcode, byte[] payload) {
    JsonObject json() {
      return seen(payload);
    }
  }

  private static JsonObject seen(byte[] utf8) {
    String text = new String(utf8, StandardCharsets.UTF_8);
    Contract.sawFrame(text);
    return new JsonObject(text);
  }

  private RawSocket(int port, int receiveBuffer, String request) throws IOException {
    socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MS);
    in = new DataInputStream(socket.getInputStream());
    socket
        .getOutputStream()
        .write(request.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    StringBuilder read = new StringBuilder();
    while (read.indexOf("\r\n\r\n") < 0) {
      read.append((char) in.readUnsignedByte());
    }
    head = read.toString();
  }

  /// Asks for an upgrade, with more header lines than the usual ones.
  public static RawSocket connect(int port, String... headers) {
    return connect(port, 0, UPGRADE.formatted("/v1/socket") + lines(headers));
  }

  public static RawSocket at(int port, String path, String... headers) {
    return connect(port, 0, UPGRADE.formatted(path) + lines(headers));
  }

  /// Asks with a version of WebSocket of one's own.
  public static RawSocket ofVersion(int port, String version) {
    return connect(
        port, 0, UPGRADE.formatted("/v1/socket").replace("version: 13", "version: " + version));
  }

  public static RawSocket withoutSubprotocol(int port) {
    return connect(
        port, 0, UPGRADE.formatted("/v1/socket").replaceFirst("sec-websocket-protocol: .*\n", ""));
  }

  /// Says hello; what it does not read soon fills its side.
  public static RawSocket withSmallBuffer(int port, String token) {
    return withBuffer(port, 4_096, token);
  }

  /// Says hello; the kernel keeps about so many bytes for it that it has not read.
  public static RawSocket withBuffer(int port, int bytes, String token) {
    return connect(port, bytes, UPGRADE.formatted("/v1/socket")).greet(token);
  }

  public static RawSocket hello(int port, String token) {
    return connect(port).greet(token);
  }

  private static RawSocket connect(int port, int receiveBuffer, String request) {
    try {
      return new RawSocket(port, receiveBuffer, request + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String lines(String... headers) {
    return headers.length == 0 ? "" : String.join("\n", headers) + "\n";
  }

  private RawSocket greet(String token) {
    say(new JsonObject().put("type", "hello").put("token", token));
    JsonObject welcome = next();
    if (!"welcome".equals(welcome.getString("type"))) {
      throw new AssertionError("answer to hello: " + welcome);
    }
    return this;
  }

  public int status() {
    return Integer.parseInt(head.split(" ", 3)[1]);
  }

  public String head() {
    return head;
  }

  public void say(JsonObject frame) {
    text(frame.encode());
  }

  public void text(String text) {
    send(frame(LAST | TEXT, text));
  }

  public void send(byte[]... frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.writeBytes(frame);
    }
    try {
      socket.getOutputStream().write(all.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] frame(int first, String payload) {
    return frame(first, payload.getBytes(StandardCharsets.UTF_8));
  }

  /// A masked frame.
  ///
  /// @param first FIN, reserved bits and opcode
  public static byte[] frame(int first, byte[] payload) {
    int length = payload.length;
    ByteBuffer frame = ByteBuffer.allocate(14 + length).put((byte) first);
    if (length < 126) {
      frame.put((byte) (0x80 | length));
    } else if (length < 65_536) {
      frame.put((byte) (0x80 | 126)).putShort((short) length);
    } else {
      frame.put((byte) (0x80 | 127)).putLong(length);
    }
    frame.put(MASK);
    for (int i = 0; i < length; i++) {
      frame.put((byte) (payload[i] ^ MASK[i % 4]));
    }
    byte[] bytes = new byte[frame.flip().remaining()];
    frame.get(bytes);
    return bytes;
  }

  private Frame read() throws IOException {
    int opcode = in.readUnsignedByte() & 0x0F;
    int length = in.readUnsignedByte();
    if (length == 126) {
      length = in.readUnsignedShort();
    } else if (length == 127) {
      length = Math.toIntExact(in.readLong());
    }
    return new Frame(opcode, in.readNBytes(length));
  }

  /// The next frame with this opcode; others are passed over.
  public byte[] next(int opcode) {
    try {
      while (true) {
        Frame frame = read();
        if (frame.opcode() == opcode) {
          return frame.payload();
        }
        if (frame.opcode() == CLOSE) {
          throw new AssertionError(
              "closed: " + new String(frame.payload(), StandardCharsets.UTF_8));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The next text frame.
  public JsonObject next() {
    return seen(next(TEXT));
  }

  /// The next text frame that is not an event of a room.
  public JsonObject answer() {
    JsonObject frame = next();
    while (List.of("message.receive", "room.event").contains(frame.getString("type"))) {
      frame = next();
    }
    return frame;
  }

  /// The code with which the server closes; what else it says is passed over.
  public int closeCode() {
    try {
      Frame frame = read();
      while (frame.opcode() != CLOSE) {
        frame = read();
      }
      return Short.toUnsignedInt(ByteBuffer.wrap(frame.payload()).getShort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reads until the server ends the connection.
  public Ending ending() {
    int code = -1;
    List<JsonObject> frames = new ArrayList<>();
    try {
      while (true) {
        Frame frame = read();
        if (frame.opcode() == TEXT) {
          frames.add(frame.json());
        } else if (frame.opcode() == CLOSE) {
          code = ByteBuffer.wrap(frame.payload()).getShort();
        }
      }
    } catch (EOFException | SocketException _) {
      return new Ending(code, frames);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
