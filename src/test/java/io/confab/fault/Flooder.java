package io.confab.fault;

import io.confab.scenario.RawSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Floods a node as fast as it takes it, until it is killed: `Flooder KIND PORT TOKEN`. All that
/// it does comes from 127.0.0.2.
final class Flooder {
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
  private static final int NAMES = 5_000;

  private final int port;
  private final String token;

  /// What somebody may flood a node with.
  enum Kind {
    /// Empty pings on one socket.
    PINGS,
    /// Empty parts of one message.
    PARTS,
    /// Large frames of JSON with names that nobody has seen.
    NAMES,
    /// Requests on three connections, sent before the answers to former ones are read.
    REQUESTS,
    /// Connections with a head that cannot be read.
    HEADS,
    /// Connections that end at once.
    CONNECTIONS
  }

  private Flooder(int port, String token) {
    this.port = port;
    this.token = token;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Flooder flooder = new Flooder(Integer.parseInt(arguments[1]), arguments[2]);
    switch (Kind.valueOf(arguments[0])) {
      case PINGS -> flooder.pings();
      case PARTS -> flooder.parts();
      case NAMES -> flooder.names();
      case REQUESTS -> flooder.requests();
      case HEADS -> flooder.connections("GET / HTTP/9\r\n\r\n");
      case CONNECTIONS -> flooder.connections("");
    }
  }

  private Socket connect() throws IOException {
    return new Socket(
        InetAddress.getLoopbackAddress(), port, InetAddress.getByName("127.0.0.2"), 0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Socket session() throws IOException {
    Socket socket = connect();
    socket.getOutputStream().write(bytes(UPGRADE));
    socket.getOutputStream().write(text("{\"type\":\"hello\",\"token\":\"" + token + "\"}"));
    readOn(socket);
    return socket;
  }

  private static byte[] text(String json) {
    return RawSocket.frame(RawSocket.LAST | RawSocket.TEXT, json);
  }

  private static void readOn(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    Thread.ofVirtual().start(() -> readToTheEnd(in));
  }

  private static void readToTheEnd(InputStream in) {
    try {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException _) {
      // it has been cut off
    }
  }

  private static byte[] times(int times, byte[] one) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < times; i++) {
      all.writeBytes(one);
    }
    return all.toByteArray();
  }

  private static void writeForEver(Socket socket, byte[] block) throws IOException {
    while (true) {
      socket.getOutputStream().write(block);
    }
  }

  private void pings() throws IOException {
    writeForEver(session(), times(1_000, RawSocket.frame(RawSocket.LAST | RawSocket.PING, "")));
  }

  private void parts() throws IOException {
    Socket socket = session();
    socket.getOutputStream().write(RawSocket.frame(RawSocket.TEXT, ""));
    writeForEver(socket, times(1_000, RawSocket.frame(RawSocket.CONTINUATION, "")));
  }

  private void names() throws IOException {
    Socket socket = session();
    while (true) {
      long salt = ThreadLocalRandom.current().nextLong(1 << 20);
      socket
          .getOutputStream()
          .write(
              text(
                  IntStream.range(0, NAMES)
                      .mapToObj(i -> "\"" + Long.toString(salt + i, 36) + "\":1")
                      .collect(Collectors.joining(",", "{", "}"))));
    }
  }

  private void requests() throws IOException, InterruptedException {
    byte[] block = times(500, bytes("GET /x HTTP/1.1\r\nhost: a\r\n\r\n"));
    for (int i = 0; i < 3; i++) {
      Socket socket = connect();
      readOn(socket);
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  writeForEver(socket, block);
                } catch (IOException _) {
                  // it has been cut off
                }
              });
    }
    Thread.currentThread().join();
  }

  private void connections(String said) {
    while (true) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(bytes(said));
        if (!said.isEmpty()) {
          readToTheEnd(socket.getInputStream());
        }
      } catch (IOException _) {
        // refused: once more
      }
    }
  }
}
