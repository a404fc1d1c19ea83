package io.confab.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordSearchTest {
  private static final String WORD = "Zirconia7nutshell";

  private final WordSearch search = new WordSearch(List.of(WORD, "Zircon8", "other"));

  @Test
  void aWordIsFoundAmongOthersAndBehindItsOwnBeginning() {
    assertThat(search.in("ZirZirconia7" + WORD)).containsExactly(WORD);
    assertThat(search.in("Zirconia7nutshelZircon8 other")).containsExactly("Zircon8", "other");
    assertThat(search.in("zirconia7nutshell Zirconia7nutshel")).isEmpty();
  }

  @Test
  void twoBytesALetterHideNothing() {
    for (var wide : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      WordSearch.Pass pass = search.new Pass();
      pass.read(("1" + WORD + "2").getBytes(wide));
      assertThat(pass.found()).containsExactly(WORD);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "xy", "xyz"})
  void encodingsHideNothingWhateverStandsBefore(String before) {
    String all = before + WORD + "?>~";
    byte[] bytes = all.getBytes(StandardCharsets.UTF_8);
    for (String encoded :
        List.of(
            HexFormat.of().formatHex(bytes),
            HexFormat.of().withUpperCase().formatHex(bytes),
            Base64.getEncoder().encodeToString(bytes),
            Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
            HexFormat.of().withPrefix("\\u00").formatHex(bytes),
            HexFormat.of().withPrefix("%").withUpperCase().formatHex(bytes))) {
      assertThat(search.in(encoded)).as(encoded).containsExactly(WORD);
    }
  }

  @Test
  void whatComesInPiecesIsOneText(@TempDir Path folder) throws IOException {
    WordSearch.Pass pass = search.new Pass();
    for (byte each : WORD.getBytes(StandardCharsets.UTF_8)) {
      assertThat(pass.found()).isEmpty();
      pass.read(new byte[] {each});
    }
    assertThat(pass.found()).containsExactly(WORD);
    // Behind what is read at once.
    Path file = folder.resolve("file");
    Files.writeString(file, "x".repeat((1 << 20) - 5) + WORD);
    assertThat(search.in(file)).containsExactly(WORD);
  }
}
