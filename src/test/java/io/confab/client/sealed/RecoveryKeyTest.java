package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecoveryKeyTest {
  private static final String LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private final RecoveryKey key = RecoveryKey.make(new SecureRandom());

  private boolean reads(String typed) {
    return RecoveryKey.read(typed)
        .filter(read -> Arrays.equals(read.secret(), key.secret()))
        .isPresent();
  }

  @Test
  void whatStandsOnPaperIsReadAgainHoweverItIsTyped() {
    assertThat(key.text()).matches("([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}");
    assertThat(reads(key.text())).isTrue();
    assertThat(reads(" " + key.text().replace("-", "").toLowerCase(Locale.ROOT) + " ")).isTrue();
    assertThat(reads(key.text().replace('-', ' ').replace('0', 'o').replace('1', 'l'))).isTrue();
    assertThat(reads(key.text().replace('1', 'I'))).isTrue();
  }

  @Test
  void eachWrongLetterIsTold() {
    String letters = key.text().replace("-", "");
    for (int i = 0; i < letters.length(); i++) {
      for (int wrong = 0; wrong < LETTERS.length(); wrong++) {
        String typed = letters.substring(0, i) + LETTERS.charAt(wrong) + letters.substring(i + 1);
        assertThat(RecoveryKey.read(typed).isPresent()).isEqualTo(typed.equals(letters));
      }
    }
  }

  @Test
  void neighboursThatChangedPlacesAreTold() {
    String letters = key.text().replace("-", "");
    assertThat(
            IntStream.range(1, letters.length())
                .mapToObj(
                    i ->
                        letters.substring(0, i - 1)
                            + letters.charAt(i)
                            + letters.charAt(i - 1)
                            + letters.substring(i + 1))
                .filter(typed -> !typed.equals(letters)))
        .allMatch(typed -> RecoveryKey.read(typed).isEmpty());
  }

  @Test
  void whatIsLongerOrShorterOrOfOtherSignsIsNone() {
    String text = key.text();
    assertThat(RecoveryKey.read("")).isEmpty();
    assertThat(RecoveryKey.read(text.substring(1))).isEmpty();
    assertThat(RecoveryKey.read(text.substring(5))).isEmpty();
    assertThat(RecoveryKey.read(text + "-0000")).isEmpty();
    assertThat(RecoveryKey.read(text.substring(0, 38) + "U")).isEmpty();
    assertThat(RecoveryKey.read("ü".repeat(32))).isEmpty();
  }

  /// A file that was pasted by mistake: reading all of it as a number takes for ever.
  @Test
  void whatIsMuchLongerIsNotEvenRead() {
    assertThat(RecoveryKey.read("Z".repeat(5_000_000))).isEmpty();
  }

  @Test
  void itIsNotPrinted() {
    assertThat(key).hasToString("***");
    assertThat(RecoveryKey.make(new SecureRandom()).text()).isNotEqualTo(key.text());
  }
}
