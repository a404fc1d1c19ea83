package io.confab.socket;

import io.confab.scenario.RawSocket;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Clients that say what [FrameTexts] and [WireBytes] make, on sockets that they open again
/// whenever the server has closed one. For any thread.
final class FuzzedSockets {
  private static final String UPGRADE =
      """
      GET /v1/socket HTTP/1.1\r
      host: localhost\r
      connection: upgrade\r
      upgrade: websocket\r
      sec-websocket-version: 13\r
      sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r
      sec-websocket-protocol: confab.v1\r
      \r
      """;
  private static final String SYNC = "{\"type\":\"ping\",\"id\":\"sync\"}";
  private static final int OPCODE = 0x0f;
  private static final int BATCH = 50;
  private static final int BROKEN_ONE_IN = 500;
  private static final int PATIENCE_MS = 30_000;

  private final int port;
  private final String room;
  private final long seed;
  private final long most;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong sockets = new AtomicLong();
  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

  /// @param most frames
  FuzzedSockets(int port, String room, long seed, long most) {
    this.port = port;
    this.room = room;
    this.seed = seed;
    this.most = most;
  }

  /// Until all frames are said.
  void run(String token) {
    while (next.get() < most && faults.isEmpty()) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(PATIENCE_MS);
        talk(socket, token);
      } catch (IOException e) {
        faults.add("no connection: " + e);
      }
    }
  }

  private void talk(Socket socket, String token) throws IOException {
    sockets.incrementAndGet();
    socket.getOutputStream().write(UPGRADE.getBytes(StandardCharsets.US_ASCII));
    int ends = 0;
    while (ends < 4) {
      int b = socket.getInputStream().read();
      if (b < 0) {
        throw new IOException("no answer to the upgrade");
      }
      ends = b == "\r\n\r\n".charAt(ends) ? ends + 1 : b == '\r' ? 1 : 0;
    }
    Semaphore answered = new Semaphore(0);
    Thread reader = Thread.ofVirtual().start(() -> listen(socket, answered));
    String hello = new JsonObject().put("type", "hello").put("token", token).encode();
    try {
      socket.getOutputStream().write(text(hello));
      while (next.get() < most && answered.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        if (!reader.isAlive()) {
          break;
        }
        socket.getOutputStream().write(batch());
      }
    } catch (IOException _) {
      // the server has closed
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] text(String text) {
    return RawSocket.frame(RawSocket.LAST | RawSocket.TEXT, text);
  }

  private byte[] batch() {
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    for (int i = 0; i < BATCH; i++) {
      SplittableRandom random =
          new SplittableRandom(seed + next.getAndIncrement() * 0x9E3779B97F4A7C15L);
      byte[] text = inRoom(FrameTexts.make(random));
      batch.writeBytes(
          random.nextInt(BROKEN_ONE_IN) == 0
              ? WireBytes.make(random, text)
              : text(new String(text, StandardCharsets.UTF_8)));
    }
    batch.writeBytes(text(SYNC));
    return batch.toByteArray();
  }

  /// Names a room that is there, in texts that are left whole.
  private byte[] inRoom(byte[] text) {
    return new String(text, StandardCharsets.ISO_8859_1)
        .replace("017rez1p1tv32", room)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /// Reads what the server says until it closes, and closes too: the server waits for that. A
  /// bug that it admits is a fault.
  private void listen(Socket socket, Semaphore answered) {
    try (socket) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      while ((in.readUnsignedByte() & OPCODE) != RawSocket.CLOSE) {
        String said = payload(in);
        note(said, "\"code\":\"internal\"");
        note(said, "\"code\":4003");
        if (said.contains("\"type\":\"welcome\"") || said.contains("\"re\":\"sync\"")) {
          answered.release();
        }
      }
    } catch (SocketTimeoutException _) {
      faults.add("a socket hangs");
    } catch (IOException _) {
      // the server has closed
    }
    answered.release();
  }

  /// Of an unmasked frame (RFC 6455, section 5.2) whose first byte is read.
  private static String payload(DataInputStream in) throws IOException {
    int length = in.readUnsignedByte();
    if (length == 126) {
      length = in.readUnsignedShort();
    } else if (length == 127) {
      length = Math.toIntExact(in.readLong());
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  private void note(String said, String bug) {
    int at = said.indexOf(bug);
    if (at >= 0) {
      faults.add(said.substring(Math.max(0, at - 200), Math.min(said.length(), at + 200)));
    }
  }

  void requireNoFault() {
    @Nullable String fault = faults.peek();
    if (fault != null) {
      throw new UncheckedIOException(new IOException(fault));
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%,d frames on %,d sockets", next.get(), sockets.get());
  }
}
