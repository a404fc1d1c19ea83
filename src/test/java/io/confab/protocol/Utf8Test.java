package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {
  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "é", "漢字", "😀", "\uFFFD", "before \uFFFD and 😀 after"})
  void whatIsRightIsReadAsItIs(String text) throws CharacterCodingException {
    assertThat(Utf8.text(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
  }

  /// RFC 3629: a byte that goes on nothing, what ends early, longer than needed, a surrogate,
  // beyond
  /// the last character, and what is broken beside the character of replacement.
  @ParameterizedTest
  @ValueSource(
      strings = {"80", "41c3", "e6bc", "f09f98", "c0af", "edA080", "f4908080", "ff", "efbfbd80"})
  void whatIsBrokenIsRefused(String hex) {
    assertThatThrownBy(() -> Utf8.text(HexFormat.of().parseHex(hex)))
        .isInstanceOf(CharacterCodingException.class);
  }

  @Test
  void aLoneSurrogateDoesNotHideInOnesOfTwo() {
    assertThatThrownBy(() -> Utf8.text(HexFormat.of().parseHex("eda0bdedb880")))
        .isInstanceOf(CharacterCodingException.class);
  }
}
