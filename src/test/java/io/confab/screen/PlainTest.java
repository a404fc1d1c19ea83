package io.confab.screen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class PlainTest {
  @Test
  void noCharacterThatATerminalObeysIsLeft() {
    StringBuilder all = new StringBuilder();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      all.appendCodePoint(c);
    }

    assertThat(Plain.line(all.toString()).codePoints())
        .noneMatch(c -> c < 0x20 || (c >= 0x7f && c < 0xa0))
        .noneMatch(c -> c >= 0x202a && c <= 0x202e)
        .noneMatch(c -> c >= 0x2066 && c <= 0x2069)
        .noneMatch(c -> c == 0x2028 || c == 0x2029 || c == 0xfeff)
        .noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
  }

  @ParameterizedTest
  @CsvSource({
    "27, <U+1B>",
    "7, <U+7>",
    "8, <U+8>",
    "155, <U+9B>",
    "8238, <U+202E>",
    "55357, <U+D83D>",
  })
  void whatIsTakenAwayIsShownByItsNumber(int codePoint, String shown) {
    assertThat(Plain.line("a" + Character.toString(codePoint) + "b")).isEqualTo("a" + shown + "b");
  }

  @Test
  void linesOfABodyStayApartAndALineEndInOneLineIsShown() {
    assertThat(Plain.lines("one\n\ttwo\r\nthree")).containsExactly("one", "    two", "three");
    assertThat(Plain.line("one\ntwo")).isEqualTo("one ⏎ two");
    assertThat(Plain.lines("")).containsExactly("");
  }

  @Test
  void lettersOfAllScriptsAndEmojiStay() {
    String text = "Grüße 日本語 ﷺ 👩‍👩‍👧 <b>&amp;</b>";

    assertThat(Plain.line(text)).isEqualTo(text);
  }
}
