package io.confab.cli;

import io.confab.config.ConfigLoader;
import io.confab.config.LoadedConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of every command that reads the configuration.
final class ConfigOptions {
  private final Map<String, String> environment;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Keys that differ from the defaults (see conf/confab.yaml).")
  private @Nullable Path file;

  @Option(
      names = "--data-dir",
      paramLabel = "FOLDER",
      description = "Where everything that must stay is kept (key data_dir).")
  private @Nullable String dataDir;

  ConfigOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /// The file, as an absolute path.
  Optional<Path> file() {
    return Optional.ofNullable(file).map(Path::toAbsolutePath);
  }

  LoadedConfig load() {
    return load(Map.of());
  }

  /// @param arguments further values by path
  LoadedConfig load(Map<String, String> arguments) {
    Map<String, String> all = new HashMap<>(arguments);
    if (dataDir != null) {
      all.put("data_dir", dataDir);
    }
    return new ConfigLoader(environment).load(file, all);
  }
}
