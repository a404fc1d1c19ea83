package io.confab.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/// Runs the cases that all clients share; their format is described beside them.
@Timeout(60)
class SharedCasesTest {
  private static final Path CASES = Path.of("src/test/resources/cases");

  @TestFactory
  Stream<DynamicTest> cases() throws IOException {
    return files().stream()
        .flatMap(
            file ->
                elements(read(file).path("cases"))
                    .map(
                        each ->
                            DynamicTest.dynamicTest(
                                file.getFileName() + ": " + each.path("name").asText(),
                                () -> run(read(file).path("before"), each))));
  }

  @Test
  void casesHaveNamesOfTheirOwn() throws IOException {
    Set<String> names = new HashSet<>();
    for (Path file : files()) {
      elements(read(file).path("cases"))
          .forEach(each -> assertThat(names.add(each.path("name").asText())).isTrue());
    }
    assertThat(names).hasSizeGreaterThan(60);
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  private static JsonNode read(Path file) {
    try {
      return ClientJson.tree(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void run(JsonNode before, JsonNode oneCase) {
    CaseMachine machine = new CaseMachine(oneCase.path("options"));
    List<JsonNode> steps = new ArrayList<>();
    if (!oneCase.path("alone").asBoolean()) {
      before.forEach(steps::add);
    }
    oneCase.path("steps").forEach(steps::add);
    for (JsonNode step : steps) {
      List<JsonNode> expected = elements(step.path("out")).toList();
      assertThat(machine.step(step)).as("after %s", step.path("in")).isEqualTo(expected);
    }
  }

  static Stream<JsonNode> elements(JsonNode array) {
    List<JsonNode> elements = new ArrayList<>();
    array.forEach(elements::add);
    return elements.stream();
  }
}
