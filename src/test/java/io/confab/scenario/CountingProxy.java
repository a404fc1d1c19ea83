package io.confab.scenario;

import io.confab.postgres.PostgresUrl;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// Stands before PostgreSQL and counts the statements that clients have it execute: messages
/// `Execute` and `Query` of its protocol (PostgreSQL documentation, chapter "Frontend/Backend
/// Protocol"). One connection after another takes a thread of its own.
public final class CountingProxy implements AutoCloseable {
  private static final int ENCRYPTION_REQUESTS = 80_877_103; // SSL; the one for GSS is next
  private static final int CANCEL = 80_877_102;
  private static final int INT = 4;

  private final ServerSocket listener;
  private final PostgresUrl server;
  private final AtomicLong statements = new AtomicLong();
  private final List<String> executed = new CopyOnWriteArrayList<>();
  private final Map<Socket, Socket> open = new ConcurrentHashMap<>();

  private CountingProxy(ServerSocket listener, PostgresUrl server) {
    this.listener = listener;
    this.server = server;
  }

  public static CountingProxy before(PostgresUrl server) {
    try {
      CountingProxy proxy =
          new CountingProxy(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), server);
      Thread.ofVirtual().start(proxy::listen);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String url() {
    return "postgresql://%s:%s@127.0.0.1:%d/%s"
        .formatted(server.user(), server.password(), listener.getLocalPort(), server.database());
  }

  public long statements() {
    return statements.get();
  }

  /// How many of them hold this text, of those that were prepared.
  public long statements(String text) {
    return executed.stream().filter(statement -> statement.contains(text)).count();
  }

  private void listen() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket upstream = new Socket(server.host(), server.port());
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        open.put(client, upstream);
        Thread.ofVirtual().start(() -> pump(client, upstream, true));
        Thread.ofVirtual().start(() -> pump(upstream, client, false));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void pump(Socket from, Socket to, boolean counted) {
    try (from;
        to) {
      if (counted) {
        count(new DataInputStream(from.getInputStream()), to.getOutputStream());
      } else {
        from.getInputStream().transferTo(to.getOutputStream());
      }
    } catch (IOException _) {
      // one side is gone, and so is the other now
    }
  }

  private void count(DataInputStream in, OutputStream out) throws IOException {
    int request;
    do {
      int length = in.readInt();
      byte[] rest = in.readNBytes(length - INT);
      request = ByteBuffer.wrap(rest).getInt();
      out.write(ByteBuffer.allocate(INT).putInt(length).array());
      out.write(rest);
      out.flush();
    } while (request >= CANCEL && request <= ENCRYPTION_REQUESTS + 1);
    Map<String, String> prepared = new HashMap<>();
    String bound = "";
    while (true) {
      byte type = in.readByte();
      int length = in.readInt();
      byte[] rest = in.readNBytes(length - INT);
      switch (type) {
        case 'P' -> prepared.put(text(rest, 0), text(rest, 1));
        case 'B' -> bound = prepared.getOrDefault(text(rest, 1), "");
        case 'E' -> {
          statements.incrementAndGet();
          executed.add(bound);
        }
        case 'Q' -> statements.incrementAndGet();
        default -> {}
      }
      out.write(ByteBuffer.allocate(1 + INT).put(type).putInt(length).array());
      out.write(rest);
      if (in.available() == 0) {
        out.flush();
      }
    }
  }

  /// One of the texts with which a message begins, each of which ends with a zero byte.
  private static String text(byte[] message, int which) {
    int from = 0;
    for (int i = 0; i < which; i++) {
      from = end(message, from) + 1;
    }
    return new String(message, from, end(message, from) - from, StandardCharsets.UTF_8);
  }

  private static int end(byte[] message, int from) {
    int end = from;
    while (message[end] != 0) {
      end++;
    }
    return end;
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Map.Entry<Socket, Socket> pair : open.entrySet()) {
        pair.getKey().close();
        pair.getValue().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
