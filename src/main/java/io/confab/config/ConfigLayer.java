package io.confab.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The values that one source gives (a file, the environment, the command line), by key; and what
/// it gives that is not a key.
record ConfigLayer(String source, Map<String, JsonNode> values, List<ConfigProblem> problems) {
  private static final String ENVIRONMENT = "environment";

  /// Variables of `logback.xml`, and what they may be.
  private static final Map<String, List<String>> LOGGING =
      Map.of(
          "CONFAB_LOG", List.of("text", "json"),
          "CONFAB_LOG_LEVEL", List.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"));

  private ConfigLayer(String source) {
    this(source, new LinkedHashMap<>(), new ArrayList<>());
  }

  /// From a parsed file; a group without content counts as absent.
  static ConfigLayer ofTree(String source, JsonNode root, ConfigKeys keys) {
    ConfigLayer layer = new ConfigLayer(source);
    if (root.isObject()) {
      layer.addGroup("", root, keys);
    } else if (!isNothing(root)) {
      layer.problems.add(new ConfigProblem(source, null, "must hold keys and values", source));
    }
    return layer;
  }

  /// From `CONFAB_*`, but for `CONFAB_TEST_*` and those of clients; those that say how to log are
  /// only checked.
  static ConfigLayer ofEnvironment(Map<String, String> environment, ConfigKeys keys) {
    ConfigLayer layer = new ConfigLayer(ENVIRONMENT);
    new TreeMap<>(environment)
        .forEach(
            (name, text) -> {
              if (LOGGING.containsKey(name)) {
                layer.checkLogging(name, text);
              } else if (name.startsWith("CONFAB_") && !isForOthers(name)) {
                layer.addVariable(name, text, keys);
              }
            });
    return layer;
  }

  /// From the command line: text by path.
  static ConfigLayer ofArguments(Map<String, String> arguments, ConfigKeys keys) {
    ConfigLayer layer = new ConfigLayer("command line");
    arguments.forEach(
        (path, text) ->
            layer.values.put(path, keys.find(path).orElseThrow().type().fromText(text)));
    return layer;
  }

  /// The logging reads these itself, and takes anything without a word.
  private void checkLogging(String name, String text) {
    List<String> allowed = LOGGING.get(name);
    if (allowed != null && !allowed.contains(text) && !text.isEmpty()) {
      problems.add(new ConfigProblem(name, text, String.join(", ", allowed), source));
    }
  }

  private static boolean isForOthers(String name) {
    return name.startsWith("CONFAB_TEST_")
        || name.equals("CONFAB_SERVER")
        || name.equals("CONFAB_PASSWORD");
  }

  private void addGroup(String prefix, JsonNode group, ConfigKeys keys) {
    for (Map.Entry<String, JsonNode> entry : group.properties()) {
      String path = prefix + entry.getKey();
      if (keys.find(path).isPresent()) {
        values.put(path, entry.getValue());
      } else if (!keys.isSection(path)) {
        unknown(path, keys.all().map(ConfigKey::path));
      } else if (entry.getValue().isObject()) {
        addGroup(path + ".", entry.getValue(), keys);
      } else if (!isNothing(entry.getValue())) {
        problems.add(new ConfigProblem(path, null, "must be a group of keys", source));
      }
    }
  }

  private static boolean isNothing(JsonNode node) {
    return node.isNull() || node.isMissingNode() || (node.isTextual() && node.asText().isEmpty());
  }

  private void addVariable(String name, String text, ConfigKeys keys) {
    Optional<ConfigKey> named = keys.all().filter(key -> key.variable().equals(name)).findFirst();
    named.ifPresentOrElse(
        key -> values.put(key.path(), key.type().fromText(text)),
        () -> unknown(name, keys.all().map(ConfigKey::variable)));
  }

  private void unknown(String name, Stream<String> known) {
    String hint = Nearest.to(name, known).map(k -> "; did you mean " + k + "?").orElse("");
    problems.add(new ConfigProblem(name, null, "unknown key" + hint, source));
  }
}
