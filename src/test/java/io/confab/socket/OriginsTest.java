package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginsTest {
  private final Origins origins =
      new Origins(List.of("https://chat.example", "http://localhost:8080"));

  @Test
  void whoIsNoPageIsLetIn() {
    assertThat(origins.allow(List.of())).isTrue();
    assertThat(new Origins(List.of()).allow(List.of())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://chat.example", "http://localhost:8080"})
  void aPageOnTheListIsLetIn(String origin) {
    assertThat(origins.allow(List.of(origin))).isTrue();
    assertThat(new Origins(List.of()).allow(List.of(origin))).isFalse();
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
    assertThat(origins.allow(List.of(origin))).isFalse();
  }

  @Test
  void twoOriginsAreNone() {
    assertThat(origins.allow(List.of("https://chat.example", "https://chat.example"))).isFalse();
  }
}
