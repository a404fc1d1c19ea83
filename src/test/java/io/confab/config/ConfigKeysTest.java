package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.confab.config.LoadedConfig.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConfigKeysTest {
  private final ConfigKeys keys = new ConfigKeys();

  @Test
  void theFileHoldsEveryKeyOfTheRecordsInTheirOrderAndNoOther() throws IOException {
    JsonNode file = new YAMLMapper().readTree(Files.readString(Path.of("conf/confab.yaml")));

    assertThat(leaves("", file))
        .containsExactlyElementsOf(keys.all().map(ConfigKey::path).toList());
  }

  @Test
  void everyNumberAndDurationHasARange() {
    assertThat(keys.all())
        .filteredOn(k -> k.type() == ValueType.NUMBER || k.type() == ValueType.DURATION)
        .isNotEmpty()
        .allSatisfy(key -> assertThat(key.range()).as(key.path()).isNotNull());
  }

  @Test
  void everyKeyHasAVariableOfItsOwn() {
    assertThat(keys.all().map(ConfigKey::variable))
        .doesNotHaveDuplicates()
        .contains("CONFAB_HTTP_PORT", "CONFAB_DATA_DIR", "CONFAB_ACCOUNTS_ARGON2_MEMORY_KIB");
  }

  @Test
  void theOperationsDocumentListsEveryKeyWithDefaultAndLimitsAndNoOther() throws IOException {
    List<Setting> settings = new ConfigLoader(Map.of()).load(null, Map.of()).settings();
    List<String> expected =
        settings.stream()
            .map(
                s ->
                    "| `%s` | `%s` | %s |"
                        .formatted(
                            s.path(), s.shown(), keys.find(s.path()).orElseThrow().allowed()))
            .toList();

    assertThat(section("## Configuration"))
        .filteredOn(line -> line.startsWith("| `"))
        .containsExactlyElementsOf(expected);
  }

  private static List<String> section(String heading) throws IOException {
    return Files.readAllLines(Path.of("docs/operations.md")).stream()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .toList();
  }

  private static Stream<String> leaves(String prefix, JsonNode node) {
    return node.propertyStream()
        .flatMap(
            entry ->
                entry.getValue().isObject()
                    ? leaves(prefix + entry.getKey() + ".", entry.getValue())
                    : Stream.of(prefix + entry.getKey()));
  }
}
