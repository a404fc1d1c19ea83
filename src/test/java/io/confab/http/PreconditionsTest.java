package io.confab.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.confab.protocol.Refusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PreconditionsTest {
  static List<String> notLists() {
    return List.of("\u0085", "\"a\"\u0085", "," + " ".repeat(400_000) + "x");
  }

  @ParameterizedTest
  @MethodSource("notLists")
  void anEndOfALineOrManySpacesHoldNobodyUp(String line) {
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () ->
            assertThatThrownBy(() -> Preconditions.read("if-match", List.of(line)))
                .isInstanceOf(Refusal.class));
  }
}
