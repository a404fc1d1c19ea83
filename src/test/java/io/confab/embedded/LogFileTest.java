package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LogFileTest {
  private static final int MIB = 1 << 20;
  private static final String LINE = "LOG:  invalid length of startup packet\n";

  private final Path folder;
  private final LogFile log;

  LogFileTest(@TempDir Path folder) {
    this.folder = folder;
    this.log = new LogFile(folder.resolve("postgres.log"));
  }

  private void print(String text) throws IOException {
    log.copy(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void whateverStrangersMakeAServerPrintTakesTwoFilesOfEightMebibytes() throws IOException {
    String mebibyte = LINE.repeat(MIB / LINE.length());
    for (int i = 0; i < 40; i++) {
      print(mebibyte);
    }
    print("LOG:  the newest line\n");

    try (var files = Files.list(folder)) {
      assertThat(files)
          .extracting(file -> file.getFileName().toString())
          .containsExactlyInAnyOrder("postgres.log", "postgres.log.1");
    }
    assertThat(Files.size(folder.resolve("postgres.log"))).isLessThanOrEqualTo(8 * MIB);
    assertThat(Files.size(folder.resolve("postgres.log.1"))).isLessThanOrEqualTo(8 * MIB);
    assertThat(folder.resolve("postgres.log")).content().endsWith("the newest line\n");
  }

  @Test
  void theLastLinesAreRemembered() throws IOException {
    print(LINE.repeat(100));
    print("FATAL:  the reason\n");
    assertThat(log.lastLine()).isEqualTo("FATAL:  the reason");
    assertThat(log.tail()).hasSizeLessThanOrEqualTo(1_000).contains(LINE);
  }
}
