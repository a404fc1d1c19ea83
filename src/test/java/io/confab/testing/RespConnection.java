package io.confab.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Commands to a Redis server on loopback, one after the other, to set servers up.
public final class RespConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Socket socket = new Socket();
  private final InputStream in;

  /// @param login a password, or a user and their password
  public RespConnection(int port, String... login) throws IOException {
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
    command(Stream.concat(Stream.of("AUTH"), Stream.of(login)).toArray(String[]::new));
  }

  /// The answer in one text, elements of an array line by line; an error begins with `-`.
  public String command(String... words) throws IOException {
    StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      int size = word.getBytes(StandardCharsets.UTF_8).length;
      request.append('$').append(size).append("\r\n").append(word).append("\r\n");
    }
    socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
    return reply();
  }

  /// What Redis tells unasked, such as the commands of others after `MONITOR`.
  public String next() throws IOException {
    return reply();
  }

  private String reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+', ':' -> rest;
      case '-' -> line;
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> array(Integer.parseInt(rest));
      default -> throw new IOException("an answer of an unknown kind: " + line);
    };
  }

  private String bulk(int size) throws IOException {
    if (size < 0) {
      return "";
    }
    byte[] bytes = in.readNBytes(size);
    line();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String array(int size) throws IOException {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      elements.add(reply());
    }
    return String.join("\n", elements);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new IOException("closed by the server");
      }
      line.append((char) next);
    }
    if (in.read() != '\n') {
      throw new IOException("a line that does not end");
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
