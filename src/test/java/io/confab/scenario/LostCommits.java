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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Stands before PostgreSQL and, when asked to, keeps the answer to a COMMIT to itself and closes
/// the connection (PostgreSQL documentation, chapter "Frontend/Backend Protocol").
public final class LostCommits implements AutoCloseable {
  private static final int ENCRYPTION_REQUESTS = 80_877_103; // SSL; the one for GSS is next
  private static final int CANCEL = 80_877_102;
  private static final int INT = 4;

  private final ServerSocket listener;
  private final PostgresUrl server;
  private final AtomicBoolean armed = new AtomicBoolean();
  private final AtomicInteger lost = new AtomicInteger();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private LostCommits(ServerSocket listener, PostgresUrl server) {
    this.listener = listener;
    this.server = server;
  }

  public static LostCommits before(PostgresUrl server) {
    try {
      LostCommits proxy =
          new LostCommits(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), server);
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

  /// The answer to the next COMMIT will not come.
  public void loseNext() {
    armed.set(true);
  }

  public int lost() {
    return lost.get();
  }

  private void listen() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket upstream = new Socket(server.host(), server.port());
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        open.add(client);
        open.add(upstream);
        AtomicBoolean swallow = new AtomicBoolean();
        Thread.ofVirtual().start(() -> requests(client, upstream, swallow));
        Thread.ofVirtual().start(() -> answers(upstream, client, swallow));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void answers(Socket from, Socket to, AtomicBoolean swallow) {
    byte[] buffer = new byte[8_192];
    try (from;
        to) {
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        if (swallow.get()) {
          lost.incrementAndGet();
          return;
        }
        to.getOutputStream().write(buffer, 0, n);
      }
    } catch (IOException _) {
      // one side is gone, and so is the other now
    }
  }

  private void requests(Socket from, Socket to, AtomicBoolean swallow) {
    try (from;
        to) {
      DataInputStream in = new DataInputStream(from.getInputStream());
      OutputStream out = to.getOutputStream();
      int request;
      do {
        int length = in.readInt();
        byte[] rest = in.readNBytes(length - INT);
        request = ByteBuffer.wrap(rest).getInt();
        out.write(ByteBuffer.allocate(length).putInt(length).put(rest).array());
      } while (request >= CANCEL && request <= ENCRYPTION_REQUESTS + 1);
      while (true) {
        byte type = in.readByte();
        int length = in.readInt();
        byte[] rest = in.readNBytes(length - INT);
        boolean commit =
            type == 'Q' && new String(rest, StandardCharsets.UTF_8).startsWith("COMMIT");
        if (commit && armed.compareAndSet(true, false)) {
          swallow.set(true);
        }
        out.write(ByteBuffer.allocate(1 + length).put(type).putInt(length).put(rest).array());
      }
    } catch (IOException _) {
      // one side is gone, and so is the other now
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
