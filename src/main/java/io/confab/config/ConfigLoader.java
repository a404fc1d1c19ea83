package io.confab.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.confab.config.LoadedConfig.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads the configuration: defaults ← file ← `CONFAB_*` ← command line, a later one wins. It is
/// strict: whatever is unknown, of the wrong type or out of range is refused, all at once.
public final class ConfigLoader {
  private final ConfigKeys keys = new ConfigKeys();
  private final YAMLMapper yaml =
      YAMLMapper.builder(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();
  private final Map<String, String> environment;

  public ConfigLoader(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /// Loads and checks.
  ///
  /// @param file may hold any part of the keys
  /// @param arguments values by path, such as `http.port`, in the form of the environment
  /// @throws InvalidConfigException naming every problem
  public LoadedConfig load(@Nullable Path file, Map<String, String> arguments) {
    List<ConfigLayer> layers = new ArrayList<>();
    layers.add(defaults());
    if (file != null) {
      layers.add(ofFile(file));
    }
    layers.add(ConfigLayer.ofEnvironment(environment, keys));
    layers.add(ConfigLayer.ofArguments(arguments, keys));
    return merge(layers);
  }

  private LoadedConfig merge(List<ConfigLayer> layers) {
    List<ConfigProblem> problems = new ArrayList<>();
    Map<String, Object> values = new HashMap<>();
    Map<String, String> sources = new HashMap<>();
    for (ConfigLayer layer : layers) {
      problems.addAll(layer.problems());
      layer
          .values()
          .forEach(
              (path, node) -> {
                ConfigKey key = keys.find(path).orElseThrow();
                sources.put(path, layer.source());
                key.read(node)
                    .ifPresentOrElse(
                        value -> values.put(path, value),
                        () -> problems.addAll(key.problems(node, layer.source())));
              });
    }
    refuse(problems);
    Config config = keys.build(values);
    refuse(ConfigRules.check(config));
    return new LoadedConfig(config, settings(values, sources));
  }

  private List<Setting> settings(Map<String, Object> values, Map<String, String> sources) {
    return keys.all()
        .map(ConfigKey::path)
        .map(
            path ->
                new Setting(
                    path,
                    ValueType.show(Objects.requireNonNull(values.get(path))),
                    sources.getOrDefault(path, "")))
        .toList();
  }

  private static void refuse(List<ConfigProblem> problems) {
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
  }

  private ConfigLayer defaults() {
    try (InputStream in =
        Objects.requireNonNull(ConfigLoader.class.getResourceAsStream("confab.yaml"))) {
      return ConfigLayer.ofTree("default", yaml.readTree(in), keys);
    } catch (IOException e) {
      throw new IllegalStateException("confab.yaml in the jar", e);
    }
  }

  private ConfigLayer ofFile(Path file) {
    try {
      return ConfigLayer.ofTree(file.toString(), yaml.readTree(Files.readString(file)), keys);
    } catch (JsonProcessingException e) {
      throw unreadable(file, YamlFault.text(e));
    } catch (IOException e) {
      throw unreadable(file, "cannot be read: " + FileFault.reason(e));
    }
  }

  private static InvalidConfigException unreadable(Path file, String why) {
    return new InvalidConfigException(
        List.of(new ConfigProblem(file.toString(), null, why, "--config")));
  }
}
