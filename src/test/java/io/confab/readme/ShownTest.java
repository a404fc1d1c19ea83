package io.confab.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ShownTest {
  private static Shown shown(String... lines) {
    return new Shown(List.of(lines), false);
  }

  @ParameterizedTest
  @CsvSource({
    "636y1648r0en8, 0cbvn36y6qev7",
    "1795353527157, 1795353527999",
    "07:09 #2 bob: hello, 23:59 #41 bob: hello",
    "process 20603, process 7",
    "carol-3553, carol-1",
    "'\"epoch\":1,', '\"epoch\":1795410482,'",
    "at most … sockets, at most 1048076 sockets",
    "'— Saturday, 21 November 2026 —', '— Monday, 1 May 2028 —'",
  })
  void whatVariesStandsForItsKind(String line, String other) {
    assertThat(shown(line).isAllOf(List.of(other))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "636y1648r0en8, 636y1648r0en",
    "07:09 bob: hello, 07:09 ann: hello",
    "'seq:1', 'seq:2'",
    "carol-3553, dave-3553",
    "ready:true, ready:false",
  })
  void allElseIsExact(String line, String other) {
    assertThat(shown(line).isAllOf(List.of(other))).isFalse();
  }

  @Test
  void aLineOfThreeDotsStandsForAnyLines() {
    Shown shown = shown("a", "…", "d");

    assertThat(shown.isAllOf(List.of("a", "b", "c", "d"))).isTrue();
    assertThat(shown.isAllOf(List.of("a", "d"))).isTrue();
    assertThat(shown.isAllOf(List.of("a", "d", "e"))).isFalse();
    assertThat(shown.isAllOf(List.of("b", "d"))).isFalse();
  }

  @Test
  void whatIsShownOfARunningProgramStandsAnywhereInItsOutput() {
    assertThat(shown("b", "c").isIn(List.of("a", "b", "c", "d"))).isTrue();
    assertThat(shown("b", "d").isIn(List.of("a", "b", "c", "d"))).isFalse();
    assertThat(shown("b", "c").isIn(List.of())).isFalse();
  }

  @Test
  void inAnyOrderEachLineIsThereOnce() {
    Shown shown = new Shown(List.of("a", "b", "b"), true);

    assertThat(shown.isAllOf(List.of("b", "a", "b"))).isTrue();
    assertThat(shown.isAllOf(List.of("b", "a"))).isFalse();
    assertThat(shown.isAllOf(List.of("b", "a", "b", "c"))).isFalse();
    assertThat(new Shown(List.of("…", "a"), true).isAllOf(List.of("c", "a"))).isTrue();
  }
}
