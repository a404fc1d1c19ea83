package io.confab.chaos;

import io.confab.testing.OwnRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// Asks Redis one thing, past the nodes and their ways.
final class RedisAsk {
  private static final int PATIENCE_MS = 60_000;

  private RedisAsk() {}

  /// The first line of the answer.
  static String ask(OwnRedis server, String... command) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), PATIENCE_MS);
      socket.setSoTimeout(PATIENCE_MS);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      say(socket.getOutputStream(), "AUTH", server.password());
      if (!"+OK".equals(in.readLine())) {
        throw new IOException("Redis does not know us");
      }
      say(socket.getOutputStream(), command);
      return String.valueOf(in.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void say(OutputStream out, String... command) throws IOException {
    StringBuilder text = new StringBuilder("*" + command.length + "\r\n");
    for (String part : command) {
      text.append('$').append(part.getBytes(StandardCharsets.UTF_8).length);
      text.append("\r\n").append(part).append("\r\n");
    }
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
