package io.confab.scenario.socket;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// A client that sends its request too slowly is closed, however busy it looks; an idle one is not.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowRequestIT {
  private static final int HASTY = 1;

  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = new Nodes();
    Config base = nodes.config();
    nodes.add(nodes.config());
    nodes.add(
        with(
            with(base, "http.idle_timeout", Duration.ofSeconds(2)),
            "http.request_timeout",
            Duration.ofSeconds(1)));
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), nodes.port(HASTY));
    socket.setSoTimeout(100);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static boolean isClosed(Socket socket) {
    try {
      int read = socket.getInputStream().read(new byte[4_096]);
      while (read > 0) {
        read = socket.getInputStream().read(new byte[4_096]);
      }
      return true;
    } catch (SocketTimeoutException _) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  /// Sends this again and again until the node closes.
  private static void assertClosedThough(Socket socket, String drop) {
    await()
        .until(
            () -> {
              try {
                send(socket, drop);
              } catch (IOException _) {
                return true;
              }
              return isClosed(socket);
            });
  }

  @Test
  void aHeadThatComesByteByByteIsCutOff() throws IOException {
    try (Socket socket = connected()) {
      send(socket, "GET /v1/me HTTP/1.1\r\nhost: a\r\nx: ");
      assertClosedThough(socket, "a");
    }
  }

  @Test
  void theHeadOfALaterRequestTooAndTheBodyOfOne() throws IOException {
    try (Socket socket = connected()) {
      send(socket, "GET /v1/me HTTP/1.1\r\nhost: a\r\n\r\nGET /v1/me HTTP/1.1\r\nhost: a\r\nx: ");
      assertClosedThough(socket, "a");
    }
    try (Socket socket = connected()) {
      send(
          socket,
          """
          POST /v1/tokens HTTP/1.1\r
          host: a\r
          content-type: application/json\r
          content-length: 100000\r
          \r
          """);
      assertClosedThough(socket, " ");
    }
  }

  /// Asks again where this side was too slow for the node.
  private RawSocket hello(String token) {
    return await()
        .ignoreExceptionsMatching(_ -> true)
        .until(() -> RawSocket.hello(nodes.port(HASTY), token), Objects::nonNull);
  }

  @Test
  void aSocketStaysThoughItsConnectionBringsNoMoreRequests() throws IOException {
    String token = ApiClient.person(nodes.port(0), "patient", "Patient").token();
    try (RawSocket client = hello(token);
        Socket other = connected()) {
      send(other, "GET /v1/me HTTP/1.1\r\nhost: a\r\nx: ");
      assertClosedThough(other, "a"); // so the first time-out of the socket is over
      client.text("{\"type\":\"ping\",\"id\":\"1\"}");
      assertThat(client.answer().getString("re")).isEqualTo("1");
    }
  }
}
