package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"500ms", "15s", "90s", "15m", "12h", "60d", "0s"})
  void whatIsReadIsWrittenBack(String text) {
    assertThat(DurationText.parse(text).map(DurationText::of)).contains(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "15", "s", "-1s", "1.5s", "1 s", "1S", "1m30s", "1w"})
  void anythingElseIsNoDuration(String text) {
    assertThat(DurationText.parse(text)).isEmpty();
  }

  @Test
  void theGreatestUnitThatFitsIsTaken() {
    assertThat(DurationText.parse("120m").map(DurationText::of)).contains("2h");
  }
}
