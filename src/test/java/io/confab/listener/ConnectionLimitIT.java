package io.confab.listener;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.config.ConfigLoader;
import io.confab.http.ApiServer;
import io.confab.testing.Certificates;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Connections that want nothing but to be open.
@Timeout(120)
class ConnectionLimitIT {
  private static final String A = "127.0.0.1";
  private static final String B = "127.0.0.2";
  private static final byte[] HALF_A_CLIENT_HELLO = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 252, 3, 3};

  private final List<Socket> held = new ArrayList<>();

  @AfterEach
  void letGo() throws IOException {
    for (Socket each : held) {
      each.close();
    }
  }

  private void hold(ApiServer api, int connections, String address) throws IOException {
    for (int i = 0; i < connections; i++) {
      held.add(api.connectFrom(address));
    }
  }

  private static Config config(String... more) {
    Map<String, String> keys =
        new TreeMap<>(Map.of("http.port", "0", "http.request_timeout", "1m"));
    for (int i = 0; i < more.length; i += 2) {
      keys.put(more[i], more[i + 1]);
    }
    return new ConfigLoader(Map.of()).load(null, keys).config();
  }

  private static boolean isServed(ApiServer api, String address) throws IOException {
    try (Socket socket = api.connectFrom(address)) {
      return isServed(socket);
    }
  }

  private static boolean isServed(Socket socket) throws IOException {
    try {
      socket
          .getOutputStream()
          .write(ApiServer.head("GET /v1/me HTTP/1.1", "host: a").getBytes(ISO_8859_1));
      return socket.getInputStream().read() == 'H';
    } catch (SocketException _) {
      return false; // reset: it was closed while it wrote
    }
  }

  @Test
  void oneAddressHasAQuarter() throws IOException {
    try (ApiServer api = new ApiServer(config("http.connections", "80"))) {
      hold(api, 20, A);

      assertThat(isServed(api, A)).isFalse();
      assertThat(isServed(held.getFirst())).isTrue();
      assertThat(isServed(api, B)).isTrue();
    }
  }

  @Test
  void aConnectionThatLeavesMakesRoom() throws IOException {
    try (ApiServer api =
        new ApiServer(config("http.connections", "80", "http.address_connections", "5"))) {
      hold(api, 5, A);
      assertThat(isServed(api, A)).isFalse();

      held.removeLast().close();

      await().until(() -> isServed(api, A));
    }
  }

  @Test
  void allTogetherHaveATotal() throws IOException {
    try (ApiServer api =
        new ApiServer(config("http.connections", "20", "http.address_connections", "10"))) {
      hold(api, 10, A);
      hold(api, 10, B);

      assertThat(isServed(api, "127.0.0.3")).isFalse();
    }
  }

  @Test
  void aTrustedProxyHasMoreThanAnAddress() throws IOException {
    try (ApiServer api =
        new ApiServer(
            config(
                "http.connections",
                "30",
                "http.address_connections",
                "5",
                "http.trusted_proxies",
                B))) {
      hold(api, 20, B);

      assertThat(isServed(api, B)).isTrue();
      assertThat(isServed(api, A)).isTrue();
      await() // until those that were served above have left and others stand in their places
          .untilAsserted(
              () -> {
                hold(api, 5, B);
                assertThat(isServed(api, B)).isFalse();
              });
    }
  }

  @Test
  void aConnectionCountsBeforeItsHandshake(@TempDir Path empty) throws IOException {
    Path folder = Certificates.make(empty.resolve("tls"), "node");
    try (ApiServer api = new ApiServer(withTls(folder, "http.connections", "80"))) {
      hold(api, 20, A);

      assertThat(api.connectFrom(A).getInputStream().read()).isEqualTo(-1);
      try (Socket other =
          Certificates.trusting(folder)
              .getSocketFactory()
              .createSocket(api.connectFrom(B), "localhost", 0, true)) {
        assertThat(isServed(other)).isTrue();
      }
    }
  }

  @Test
  void aHandshakeThatIsNotFinishedEnds(@TempDir Path empty) throws IOException {
    Path folder = Certificates.make(empty.resolve("tls"), "node");
    try (ApiServer api = new ApiServer(withTls(folder, "http.request_timeout", "1s"))) {
      hold(api, 1, A);
      held.getFirst().getOutputStream().write(HALF_A_CLIENT_HELLO);

      assertThat(held.getFirst().getInputStream().read()).isEqualTo(-1);
    }
  }

  private static Config withTls(Path folder, String key, String value) {
    return config(
        "http.tls.mode",
        "files",
        "http.tls.certificate",
        folder.resolve("node.crt").toString(),
        "http.tls.key",
        folder.resolve("node.key").toString(),
        key,
        value);
  }
}
