package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Peers that want memory without giving anything, against the real jar: how much they get, and
/// that people go on talking meanwhile. Run by `scripts/bench-abuse`; not part of the tests.
@ExtendWith(VertxExtension.class)
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AbuseBench {
  private static final int PEERS = 2_000;
  private static final int BOMB = 60 * 1024 * 1024;
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String UPGRADE =
      """
      GET /v1/socket HTTP/1.1\r
      host: localhost\r
      connection: upgrade\r
      upgrade: websocket\r
      sec-websocket-version: 13\r
      sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r
      sec-websocket-protocol: confab.v1\r
      sec-websocket-extensions: permessage-deflate\r
      \r
      """;

  private final Vertx vertx;
  private NodeProcess node;
  private String room;
  private ChatClient speaker;
  private ChatClient observer;
  private int said;

  AbuseBench(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeAll
  void start(@TempDir Path data) {
    node = NodeProcess.start(data);
    Person alice = ApiClient.person(node.port(), "alice", "Alice");
    Person bob = ApiClient.person(node.port(), "bob", "Bob");
    room = alice.at(node.port()).channel("calm");
    bob.at(node.port()).join(room);
    speaker = ChatClient.live(vertx, node.port(), alice.token());
    observer = ChatClient.live(vertx, node.port(), bob.token());
    for (int i = 0; i < 200; i++) {
      theOthersHearEachOther();
    }
    abuse("warm-up: upgraded and silent", AbuseBench::upgraded, socket -> {});
  }

  @AfterAll
  void stop() {
    node.close();
  }

  private void theOthersHearEachOther() {
    String body = "still here " + said++;
    JsonObject ack = ChatClient.get(speaker.send(room, body, body));
    observer.awaitRev(room, ack.getLong("rev"));
    assertThat(observer.bodies(room).getLast()).isEqualTo(body);
    assertThat(observer.bodies(room)).hasSize(said);
  }

  /// What a peer does once it is connected, and then again every second.
  private interface Abuse {
    void on(Socket socket) throws IOException;
  }

  @Test
  void measure() {
    System.out.println(
        "| 2,000 peers | s to connect | s until the last is closed | live heap before, with them,"
            + " after: MB | resident before, most: MB |");
    System.out.println("|---|---|---|---|---|");
    abuse("upgraded and silent", AbuseBench::upgraded, socket -> {});
    abuse("connected and silent", socket -> {}, socket -> {});
    abuse(
        "half a request, then silent",
        socket -> send(socket, "GET /v1/me HTTP/1.1\r\nhost: a\r\n"),
        socket -> {});
    abuse(
        "a header for ever, a piece each second",
        socket -> send(socket, "GET /v1/me HTTP/1.1\r\nhost: a\r\nx: "),
        socket -> send(socket, "aaaa"));
    abuse(
        "fragments for ever, one each second",
        socket -> {
          upgraded(socket);
          send(socket, frame(0x01, new byte[] {'a'}));
        },
        socket -> send(socket, frame(0x00, new byte[] {'a'})));
    abuse(
        "a frame for ever, a byte each second",
        socket -> {
          upgraded(socket);
          send(socket, new byte[] {(byte) 0x81, (byte) (0x80 | 126), 0x1F, 0x00, 0, 0, 0, 0});
        },
        socket -> send(socket, new byte[] {'a'}));
    byte[] bomb = bomb();
    abuse(
        "60 MB deflated to " + bomb.length / 1024 + " KB in one frame",
        socket -> {
          upgraded(socket);
          send(socket, bomb);
        },
        socket -> {});
    byte[] small = frame(0xC1, deflated(BOMB / 20));
    abuse(
        "3 MB deflated to a frame below the limit",
        socket -> {
          upgraded(socket);
          send(socket, small);
        },
        socket -> {});
  }

  /// In rounds of about two seconds, until the node has closed them all.
  private void abuse(String what, Abuse first, Abuse again) {
    Memory memory = new Memory(node.family().getFirst().pid());
    long before = memory.liveHeapMb();
    long residentBefore = memory.residentMb();
    long begin = System.nanoTime();
    List<Socket> peers = new ArrayList<>();
    for (int i = 0; i < PEERS; i++) {
      peers.add(connect(first));
    }
    long connected = System.nanoTime();
    long resident = memory.residentMb();
    long with = memory.liveHeapMb();
    List<Socket> open = new ArrayList<>(peers);
    while (!open.isEmpty()) {
      theOthersHearEachOther();
      open.removeIf(AbuseBench::isClosed);
      open.forEach(socket -> quietly(again, socket));
      resident = Math.max(resident, memory.residentMb());
      assertThat(System.nanoTime() - begin)
          .as("%s: %d still open", what, open.size())
          .isLessThan(LIMIT.toNanos());
    }
    long closed = System.nanoTime();
    peers.forEach(AbuseBench::close);
    System.out.printf(
        Locale.ROOT,
        "| %s | %.1f | %.1f | %d → %d → %d | %d → %d |%n",
        what,
        (connected - begin) / 1e9,
        (closed - connected) / 1e9,
        before,
        with,
        memory.liveHeapMb(),
        residentBefore,
        resident);
  }

  private Socket connect(Abuse first) {
    try {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
      socket.setSoTimeout(1);
      quietly(first, socket);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// One who is closed already cannot send.
  private static void quietly(Abuse abuse, Socket socket) {
    try {
      abuse.on(socket);
    } catch (IOException _) {
      close(socket);
    }
  }

  private static void upgraded(Socket socket) throws IOException {
    send(socket, UPGRADE);
  }

  private static void send(Socket socket, String text) throws IOException {
    send(socket, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /// Reads what there is; closed when the server has ended its side.
  private static boolean isClosed(Socket socket) {
    try {
      byte[] some = new byte[512];
      int read = socket.getInputStream().read(some);
      while (read > 0) {
        read = socket.getInputStream().read(some);
      }
      return read < 0;
    } catch (java.net.SocketTimeoutException _) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bomb() {
    return frame(0xC1, deflated(BOMB));
  }

  private static byte[] deflated(int zeros) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(new byte[zeros]);
    deflater.finish();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] some = new byte[8_192];
    while (!deflater.finished()) {
      out.write(some, 0, deflater.deflate(some));
    }
    deflater.end();
    return out.toByteArray();
  }

  /// Masked with zeros, so as it is.
  private static byte[] frame(int first, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(14 + payload.length);
    frame.put((byte) first);
    if (payload.length < 126) {
      frame.put((byte) (0x80 | payload.length));
    } else if (payload.length <= 0xFFFF) {
      frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
    } else {
      frame.put((byte) (0x80 | 127)).putLong(payload.length);
    }
    frame.putInt(0).put(payload);
    byte[] bytes = new byte[frame.position()];
    frame.flip().get(bytes);
    return bytes;
  }
}
