package io.confab.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LimitTest {
  @Test
  void everyConfiguredRateIsALimitOfItsName() {
    assertThat(Arrays.stream(Limit.values()).map(limit -> limit.wire().replace("_", "")))
        .containsExactlyElementsOf(
            Arrays.stream(Config.Rates.class.getRecordComponents())
                .map(component -> component.getName().toLowerCase(java.util.Locale.ROOT))
                .toList());
  }

  @Test
  void theOperationsDocumentHasTheTableOfLimits() throws IOException {
    List<String> rows =
        Arrays.stream(Limit.values())
            .map(
                limit ->
                    "| `%s` | %s | %s | %s |"
                        .formatted(
                            limit.wire(),
                            limit.who().wire(),
                            limit.isShared() ? "after " + limit.chunk() : "no",
                            limit.isShared() ? "each node counts alone" : "no difference"))
            .toList();
    assertThat(
            Files.readAllLines(Path.of("docs/operations.md")).stream()
                .dropWhile(line -> !line.equals("## Rate limits"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `")))
        .containsExactlyElementsOf(rows);
  }
}
