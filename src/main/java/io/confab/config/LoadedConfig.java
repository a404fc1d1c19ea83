package io.confab.config;

import java.util.List;
import java.util.stream.Collectors;

/// A valid configuration and where each of its values came from.
public record LoadedConfig(Config config, List<Setting> settings) {

  /// One key in effect.
  ///
  /// @param shown the value as the file would write it; `***` for a secret
  public record Setting(String path, String shown, String source) {}

  /// Every key with its value and source, one a line; secrets are hidden.
  public String text() {
    return settings.stream()
        .map(s -> "%-38s # %s".formatted(s.path() + ": " + s.shown(), s.source()).stripTrailing())
        .collect(Collectors.joining("\n"));
  }
}
