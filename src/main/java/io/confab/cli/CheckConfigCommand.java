package io.confab.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `check-config`: every key in effect, or every problem.
@Command(
    name = "check-config",
    description = "Print every key in effect and where it comes from, or every problem.")
final class CheckConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  CheckConfigCommand(ConfigOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(options.load().text());
    return 0;
  }
}
