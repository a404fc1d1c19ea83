package io.confab.scenario;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Stands between one node and Redis. What the node publishes on some channels goes nowhere,
/// though Redis answers as ever; or nothing gets through any more. Commands are arrays of strings
/// (Redis documentation, "RESP protocol").
public final class LossyRedis implements AutoCloseable {
  private final ServerSocket listener;
  private final URI server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong digests = new AtomicLong();
  private volatile Set<String> kinds = Set.of();
  private volatile boolean cut;

  private LossyRedis(ServerSocket listener, URI server) {
    this.listener = listener;
    this.server = server;
  }

  /// @param url of one server
  public static LossyRedis before(String url) {
    try {
      LossyRedis redis =
          new LossyRedis(
              new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), URI.create(url));
      Thread.ofVirtual().start(redis::listen);
      return redis;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String url() {
    return server
        .toString()
        .replace(server.getHost() + ":" + server.getPort(), "127.0.0.1:" + listener.getLocalPort());
  }

  /// From now on publications are lost whose channel is of one of these kinds, such as `room`.
  public void lose(String... channels) {
    kinds = Set.of(channels);
  }

  /// How many publications were lost.
  public long lost() {
    return lost.get();
  }

  /// How many digests have passed.
  public long digests() {
    return digests.get();
  }

  /// From now on nothing gets through.
  public void cut() {
    cut = true;
    open.forEach(LossyRedis::close);
  }

  private void listen() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (cut) {
          client.close();
          continue;
        }
        Socket upstream = new Socket(server.getHost(), server.getPort());
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        open.add(client);
        open.add(upstream);
        Thread.ofVirtual().start(() -> commands(client, upstream));
        Thread.ofVirtual().start(() -> answers(upstream, client));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private static void answers(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // one side is gone, and so is the other now
    }
  }

  private void commands(Socket from, Socket to) {
    try (from;
        to) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
      OutputStream out = new BufferedOutputStream(to.getOutputStream());
      while (true) {
        byte[][] command = new byte[number(in)][];
        for (int i = 0; i < command.length; i++) {
          command[i] = in.readNBytes(number(in));
          in.skipNBytes(2);
        }
        write(out, mislead(command));
        if (in.available() == 0) {
          out.flush();
        }
      }
    } catch (IOException _) {
      // one side is gone, and so is the other now
    }
  }

  /// The number in a line such as `*3` or `$5`.
  private static int number(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (char next = (char) in.readByte(); next != '\r'; next = (char) in.readByte()) {
      line.append(next);
    }
    in.skipNBytes(1);
    return Integer.parseInt(line, 1, line.length(), 10);
  }

  private byte[][] mislead(byte[][] command) {
    if (!new String(command[0], StandardCharsets.UTF_8).equalsIgnoreCase("publish")) {
      return command;
    }
    String channel = new String(command[1], StandardCharsets.UTF_8);
    if (channel.endsWith("node:digest")) {
      digests.incrementAndGet();
    }
    if (kinds.stream().noneMatch(kind -> channel.contains(":" + kind + ":"))) {
      return command;
    }
    lost.incrementAndGet();
    command[1] = ("nowhere:" + channel).getBytes(StandardCharsets.UTF_8);
    return command;
  }

  private static void write(OutputStream out, byte[][] command) throws IOException {
    out.write(("*" + command.length + "\r\n").getBytes(StandardCharsets.UTF_8));
    for (byte[] part : command) {
      out.write(("$" + part.length + "\r\n").getBytes(StandardCharsets.UTF_8));
      out.write(part);
      out.write("\r\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
