package io.confab.protocol;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {
  private static void refused(String field, ThrowingCallable call) {
    Refusal refusal = catchThrowableOfType(Refusal.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refusal.field()).contains(field);
  }

  private static Fields of(String value) {
    return Json.object("{\"a\":" + value + "}");
  }

  @Test
  void answersValuesOfTheirTypes() {
    Fields fields =
        Json.object(
            """
            {"text":"t","number":9223372036854775807,"flag":true,"object":{"x":"y"},
             "objects":[{"n":1},{"n":2}],"texts":["a","b"]}\
            """);
    assertThat(fields.text("text")).isEqualTo("t");
    assertThat(fields.number("number")).isEqualTo(Long.MAX_VALUE);
    assertThat(fields.flag("flag")).isTrue();
    assertThat(requireNonNull(fields.optionalObject("object")).text("x")).isEqualTo("y");
    assertThat(fields.objects("objects", 2)).extracting(o -> o.number("n")).containsExactly(1L, 2L);
    assertThat(fields.texts("texts", 2)).containsExactly("a", "b");
    fields.end();
  }

  @Test
  void aChoiceIsOneOfTheNamesOfItsConstants() {
    assertThat(of("\"since_join\"").choice("a", HistoryRule.class))
        .isEqualTo(HistoryRule.SINCE_JOIN);
    assertThat(Json.object("{}").optionalChoice("a", Role.class)).isNull();
    for (String value : new String[] {"\"SINCE_JOIN\"", "\"\"", "1"}) {
      refused("a", () -> of(value).choice("a", HistoryRule.class));
    }
    refused("a", () -> Json.object("{}").choice("a", Role.class));
    assertThat(catchThrowableOfType(Refusal.class, () -> of("\"x\"").choice("a", Role.class)))
        .hasMessageContaining("must be owner, admin or member");
  }

  @Test
  void whatIsAbsentIsNullOrEmptyOrFalse() {
    Fields fields = Json.object("{}");
    assertThat(fields.optionalText("a")).isNull();
    assertThat(fields.optionalNumber("a")).isNull();
    assertThat(fields.optionalObject("a")).isNull();
    assertThat(fields.flag("a")).isFalse();
    assertThat(fields.objects("a", 1)).isEmpty();
    assertThat(fields.texts("a", 1)).isEmpty();
    refused("a", () -> fields.text("a"));
    refused("a", () -> fields.number("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1", "true", "[]", "{}", "[\"a\"]"})
  void aStringIsNothingElse(String value) {
    refused("a", () -> of(value).text("a"));
    refused("a", () -> of(value).optionalText("a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "\"1\"",
        "true",
        "[]",
        "{}",
        "1.0",
        "1e3",
        "9223372036854775808",
        "-9223372036854775809"
      })
  void aNumberIsAWholeOneOf64Bits(String value) {
    refused("a", () -> of(value).number("a"));
    refused("a", () -> of(value).optionalNumber("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "0", "1", "\"true\"", "[]", "{}"})
  void aFlagIsTrueOrFalse(String value) {
    refused("a", () -> of(value).flag("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1", "true", "\"{}\"", "[]"})
  void anObjectIsNothingElse(String value) {
    refused("a", () -> of(value).optionalObject("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1", "true", "\"[]\"", "{}"})
  void aListIsNothingElse(String value) {
    refused("a", () -> of(value).objects("a", 9));
    refused("a", () -> of(value).texts("a", 9));
  }

  @Test
  void aListHasItsBound() {
    refused("a", () -> of("[{},{},{}]").objects("a", 2));
    refused("a", () -> of("[\"\",\"\",\"\"]").texts("a", 2));
  }

  @Test
  void elementsAreNamedByTheirPlace() {
    refused("a[1]", () -> of("[{},null]").objects("a", 9));
    refused("a[2]", () -> of("[\"\",\"\",3]").texts("a", 9));
    Fields second = of("[{},{\"b\":{\"c\":1}}]").objects("a", 9).get(1);
    Fields inner = requireNonNull(second.optionalObject("b"));
    refused("a[1].b.c", () -> inner.text("c"));
  }

  @Test
  void whatNobodyAskedForIsRefusedByItsPath() {
    refused("a", () -> of("1").end());
    refused(
        "a.b",
        () -> {
          Fields inner = requireNonNull(of("{\"b\":1}").optionalObject("a"));
          inner.end();
        });
  }

  @Test
  void aLongUnknownNameIsCut() {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> Json.object("{\"" + "👍".repeat(500) + "\":1}").end());
    assertThat(refusal.field()).contains("👍".repeat(64));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\ud83d\"", "\"\\udc4d\\ud83d\"", "\"a\\ud800b\""})
  void halfASurrogatePairIsRefused(String value) {
    refused("a", () -> of(value).text("a"));
    refused("a[0]", () -> of("[" + value + "]").texts("a", 1));
  }

  @Test
  void peekingRefusesNothing() {
    assertThat(of("\"x\"").peekId("a")).contains("x");
    assertThat(of("1").peekId("a")).isEmpty();
    assertThat(of("\"\\ud83d\"").peekId("a")).isEmpty();
    assertThat(of("1").peekId("b")).isEmpty();
    assertThat(of("\"\"").peekId("a")).isEmpty();
    assertThat(of("\"" + "x".repeat(65) + "\"").peekId("a")).isEmpty();
  }
}
