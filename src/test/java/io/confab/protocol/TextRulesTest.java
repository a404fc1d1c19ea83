package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextRulesTest {
  private static void refused(BiFunction<String, String, String> rule, String text) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> rule.apply("field", text));
    assertThat(refusal).as("not refused: <%s>", text).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refusal.field()).hasValue("field");
  }

  @Test
  void handlesAreFolded() {
    assertThat(TextRules.handle("h", "Ann.O_n-1")).isEqualTo("ann.o_n-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "_ab", ".ab", "a b", "ä1", "a\u212a", "a\nb", "a/b"})
  void otherHandlesAreRefused(String text) {
    refused(TextRules::handle, text);
  }

  @Test
  void handlesHaveTwoToThirtyTwoCharacters() {
    assertThat(TextRules.handle("h", "a".repeat(32))).hasSize(32);
    refused(TextRules::handle, "a".repeat(33));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\u00a0",
        "\u200b",
        "\u3164",
        "a\nb",
        "a\tb",
        "a\u0000",
        "a\u007f",
        "a\u0085",
        "a\u202eb",
        "a\u2066",
        "a\u200f",
        "a\u2028b",
        "a\ud800",
        "\udc00a"
      })
  void namesThatHideSomethingAreRefused(String text) {
    refused(TextRules::name, text);
  }

  @Test
  void lengthsAreInCharacters() {
    assertThat(TextRules.name("n", "😀".repeat(80))).hasSize(160);
    refused(TextRules::name, "😀".repeat(81));
    assertThat(TextRules.password("p", "😀".repeat(128))).isNotEmpty();
    refused(TextRules::password, "1234567");
    refused(TextRules::password, "1".repeat(129));
    refused((f, t) -> TextRules.text(f, t, 500), "x".repeat(501));
  }

  @Test
  void bodiesMayHoldLinesAndTabsAndAnyDirection() {
    String body = "a\n\tb \u202e \u2028 👩‍👩‍👧";
    assertThat(TextRules.body("body", body, 100)).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n\t", "\u00a0", "a\r", "a\u0007", "a\u009f", "\ud83d"})
  void otherBodiesAreRefused(String text) {
    refused((f, t) -> TextRules.body(f, t, 100), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ä", "a\n", "\u007f"})
  void idsOfClientsArePrintableAscii(String text) {
    refused(TextRules::clientMade, text);
    refused(TextRules::clientMade, "x".repeat(65));
    assertThat(TextRules.clientMade("c", " ~" + "x".repeat(62))).hasSize(64);
  }
}
