package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  private static Refusal refusal(String text) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> Json.object(text));
    assertThat(refusal).as(text).isNotNull();
    return refusal;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "1",
        "\"{}\"",
        "[]",
        "[{}]",
        "{",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":.5}",
        "{\"a\":+1}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"line\nfeed\"}",
        "{\"a\":1}//",
        "{\"a\":1}/**/",
        "{} {}",
        "{}]",
        "{}x",
        "{\"a\":1,\"a\":1}",
        "{\"o\":{\"a\":1,\"\\u0061\":2}}",
        "\ufeff{}"
      })
  void onlyOneStrictObjectIsRead(String text) {
    Refusal refusal = refusal(text);
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_JSON);
    assertThat(refusal.field()).isEmpty();
  }

  @Test
  void aRefusalDoesNotRepeatWhatWasWritten() {
    assertThat(refusal("{\"password\":tiger}").detail()).doesNotContain("tiger").contains("line 1");
  }

  private static String nested(int depth) {
    return "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
  }

  @Test
  void nestsUpTo32() {
    assertThat(Json.object(nested(32)).has("a")).isTrue();
    assertThat(refusal(nested(33)).code()).isEqualTo(ErrorCode.INVALID_JSON);
    assertThat(refusal("{\"a\":" + "[".repeat(50_000)).code()).isEqualTo(ErrorCode.INVALID_JSON);
  }

  @Test
  void numbersHaveUpTo100Digits() {
    Fields fields = Json.object("{\"a\":" + "1".repeat(100) + "}");
    assertThat(catchThrowableOfType(Refusal.class, () -> fields.number("a")).code())
        .isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refusal("{\"a\":" + "1".repeat(101) + "}").code()).isEqualTo(ErrorCode.INVALID_JSON);
    assertThat(refusal("{\"a\":0." + "1".repeat(101) + "}").code())
        .isEqualTo(ErrorCode.INVALID_JSON);
  }

  @Test
  void namesOfAClientAreNotInterned() {
    String name = UUID.randomUUID().toString();
    assertThat(Json.object("{\"" + name + "\":1}").has(name)).isTrue();

    assertThat(name.intern()).as("the first of its text").isSameAs(name);
  }

  @Test
  void aHugeExponentIsNoWholeNumber() {
    Fields fields = Json.object("{\"a\":1e999999999}");
    assertThat(catchThrowableOfType(Refusal.class, () -> fields.number("a")).code())
        .isEqualTo(ErrorCode.INVALID_FIELD);
  }

  @Test
  void bytesAreWholeUtf8AndNothingElse() {
    byte[] good = "{\"a\":\"ä👍\"}".getBytes(StandardCharsets.UTF_8);
    assertThat(Json.object(good).text("a")).isEqualTo("ä👍");
    refusedBytes("{\"a\":\"b\"}".getBytes(StandardCharsets.UTF_16BE));
    refusedBytes("{\"a\":\"ä\"}".getBytes(StandardCharsets.ISO_8859_1));
    refusedBytes(new byte[] {'{', '"', (byte) 0xC0, (byte) 0x80, '"', ':', '1', '}'});
    refusedBytes(new byte[] {'{', '"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"', ':', '1', '}'});
    refusedBytes(new byte[0]);
  }

  private static void refusedBytes(byte[] bytes) {
    assertThat(catchThrowableOfType(Refusal.class, () -> Json.object(bytes)).code())
        .isEqualTo(ErrorCode.INVALID_JSON);
  }

  private record Sample(@Nullable String notThere, String textField, RoomId roomId, Rev rev) {}

  @Test
  void writesSnakeCaseAndNothingForNull() {
    assertThat(
            new String(
                Json.bytes(new Sample(null, "ä", new RoomId(1), new Rev(2))),
                StandardCharsets.UTF_8))
        .isEqualTo("{\"text_field\":\"ä\",\"room_id\":\"0000000000001\",\"rev\":2}");
  }
}
