package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.config.TlsMode;
import io.confab.testing.TestConfig;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginsTest {
  private static final SocketAddress LOCAL = SocketAddress.inetSocketAddress(8080, "127.0.0.1");

  private final Origins origins =
      origins("127.0.0.1", TlsMode.NONE, "https://chat.example", "http://localhost:8080");

  private static Origins origins(String host, TlsMode tls, String... listed) {
    Config config = TestConfig.node(Path.of("unused"));
    config = TestConfig.with(config, "http.host", host);
    config =
        TestConfig.with(
            config, "http.tls", new Config.ListenerTls(tls, Optional.empty(), Optional.empty()));
    return new Origins(TestConfig.with(config, "http.origins", List.of(listed)).http());
  }

  private static boolean allows(Origins origins, String origin) {
    return origins.allow(List.of(origin), LOCAL);
  }

  @Test
  void whoIsNoPageIsLetIn() {
    assertThat(origins.allow(List.of(), LOCAL)).isTrue();
    assertThat(origins("127.0.0.1", TlsMode.NONE).allow(List.of(), LOCAL)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://chat.example", "http://localhost:8080"})
  void aPageOnTheListIsLetIn(String origin) {
    assertThat(allows(origins, origin)).isTrue();
    assertThat(allows(origins("127.0.0.1", TlsMode.NONE), origin)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "*",
        "chat.example",
        "http://chat.example",
        "https://chat.example:443",
        "https://chat.example:8443",
        "https://chat.example/",
        "https://chat.example.evil.test",
        "https://evil.test/https://chat.example",
        "https://evil-chat.example",
        "https://sub.chat.example",
        "https://chat.example@evil.test",
        "HTTPS://CHAT.EXAMPLE",
        "https://Chat.example",
        " https://chat.example",
        "https://chat.example https://evil.test",
        "https://xn--cht-5na.example",
        "https://chát.example",
        "http://localhost",
        "http://127.0.0.1:8080"
      })
  void anyOtherPageIsNot(String origin) {
    assertThat(allows(origins, origin)).isFalse();
  }

  @Test
  void twoOriginsAreNone() {
    assertThat(origins.allow(List.of("https://chat.example", "https://chat.example"), LOCAL))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, NONE, 127.0.0.1, 8080, http://127.0.0.1:8080",
    "127.0.0.1, NONE, 127.0.0.1, 8090, http://localhost:8090",
    "localhost, NONE, 127.0.0.1, 80, http://localhost",
    "localhost, NONE, 127.0.0.1, 443, http://localhost:443",
    "::1, NONE, 0:0:0:0:0:0:0:1, 8080, http://[::1]:8080",
    "::1, NONE, 0:0:0:0:0:0:0:1, 8080, http://localhost:8080",
    "0.0.0.0, FILES, 10.0.0.5, 443, https://10.0.0.5",
    "0.0.0.0, FILES, 10.0.0.5, 8443, https://10.0.0.5:8443",
    "'::', FILES, 2001:db8:0:0:0:0:0:5, 443, 'https://[2001:db8::5]'",
    "'::', FILES, 127.0.0.1, 80, https://localhost:80",
    "Chat.example, FILES, 10.0.0.5, 443, https://chat.example",
  })
  void theNodesOwnPagesAreThoseOfTheAddressAtWhichTheyArrive(
      String host, TlsMode tls, String arrived, int port, String origin) {
    SocketAddress local = SocketAddress.inetSocketAddress(port, arrived);

    assertThat(origins(host, tls, "own").allow(List.of(origin), local)).isTrue();
    assertThat(origins(host, tls).allow(List.of(origin), local)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, NONE, 127.0.0.1, http://127.0.0.1:8090",
    "127.0.0.1, NONE, 127.0.0.1, https://127.0.0.1:8080",
    "127.0.0.1, NONE, 127.0.0.1, http://127.0.0.1",
    "127.0.0.1, NONE, 127.0.0.1, http://127.0.0.2:8080",
    "127.0.0.1, NONE, 127.0.0.1, 'http://[::1]:8080'",
    "127.0.0.1, NONE, 127.0.0.1, http://rebound.evil.test:8080",
    "127.0.0.1, NONE, 127.0.0.1, own",
    "127.0.0.1, NONE, 127.0.0.1, null",
    "0.0.0.0, FILES, 10.0.0.5, https://localhost:8080",
    "0.0.0.0, FILES, 10.0.0.5, https://0.0.0.0:8080",
    "0.0.0.0, FILES, 10.0.0.5, https://127.0.0.1:8080",
    "0.0.0.0, PROXY, 10.0.0.5, http://10.0.0.5:8080",
    "127.0.0.1, PROXY, 127.0.0.1, http://localhost:8080",
    "127.0.0.1, PROXY, 127.0.0.1, own",
  })
  void anotherPageIsNoneOfThem(String host, TlsMode tls, String arrived, String origin) {
    SocketAddress local = SocketAddress.inetSocketAddress(8080, arrived);

    assertThat(origins(host, tls, "own").allow(List.of(origin), local)).isFalse();
  }
}
