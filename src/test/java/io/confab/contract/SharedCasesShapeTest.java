package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// In the cases that all clients share, clients send only what asyncapi.yaml allows.
@Timeout(60)
class SharedCasesShapeTest {
  static Stream<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/cases"))) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void whatAClientSendsIsOfTheDocument(Path file) throws IOException {
    JsonNode cases = HttpContract.JSON.readTree(file.toFile());
    List<JsonNode> steps = new ArrayList<>();
    cases.path("before").forEach(steps::add);
    cases.get("cases").forEach(c -> c.get("steps").forEach(steps::add));

    for (JsonNode step : steps) {
      for (JsonNode output : step.path("out")) {
        if (output.has("frame")) {
          String frame = output.get("frame").toString();
          assertThat(Contract.FRAMES.clientFaults(frame)).as(frame).isEmpty();
        }
      }
    }
  }
}
