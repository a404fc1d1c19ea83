package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReportTest {
  @Test
  void theTableTakesThePlaceOfTheOneBefore() throws IOException {
    String document = Files.readString(Path.of("docs/performance.md"));

    String once = Report.placed(document, "costs $1\n");
    String twice = Report.placed(once, "costs nothing\n");

    assertThat(once).contains("<!-- bench: begin -->\ncosts $1\n<!-- bench: end -->");
    assertThat(twice).contains("costs nothing").doesNotContain("costs $1");
  }

  @Test
  void aDocumentWithoutAPlaceIsNotChanged() {
    assertThatThrownBy(() -> Report.placed("# Performance\n", "costs nothing"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
