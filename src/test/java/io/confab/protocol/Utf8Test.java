package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "\0",
        "é",
        "漢字",
        "😀",
        "\uFEFFmarked",
        "\uFFFF",
        "\uDBFF\uDFFF",
        "\uFFFD",
        "before \uFFFD and 😀 after"
      })
  void whatIsRightIsReadAsItIs(String text) throws CharacterCodingException {
    assertThat(Utf8.text(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80", // goes on nothing
        "41c3", // end early
        "e6bc",
        "f09f98",
        "c0af", // longer than needed
        "eda080", // half of a pair
        "eda0bdedb880", // a pair, each half for itself
        "f4908080", // beyond the last character
        "ff",
        "efbfbd80" // behind the character of replacement
      })
  void whatIsBrokenIsRefused(String hex) {
    assertThatThrownBy(() -> Utf8.text(HexFormat.of().parseHex(hex)))
        .isInstanceOf(CharacterCodingException.class);
  }
}
