package io.confab.config;

import org.jspecify.annotations.Nullable;

/// One thing wrong with the configuration.
///
/// @param path the key, such as `http.port`, or the variable, or the file
/// @param value as it was given, hidden if secret; absent where there is no value to show
/// @param allowed what would be right
/// @param source where it was given
public record ConfigProblem(String path, @Nullable String value, String allowed, String source) {

  /// One line for a person.
  public String text() {
    String given = value == null ? "" : " " + value + " is not allowed:";
    return path + ":" + given + " " + allowed + " (" + source + ")";
  }
}
