package io.confab.config;

import java.util.List;
import java.util.stream.Collectors;

/// The configuration cannot be used; it names every problem, not only the first.
public final class InvalidConfigException extends RuntimeException {
  private final List<ConfigProblem> problems;

  public InvalidConfigException(List<ConfigProblem> problems) {
    super(
        problems.stream().map(ConfigProblem::text).collect(Collectors.joining("\n")),
        null,
        false,
        false);
    this.problems = List.copyOf(problems);
  }

  public List<ConfigProblem> problems() {
    return problems;
  }
}
