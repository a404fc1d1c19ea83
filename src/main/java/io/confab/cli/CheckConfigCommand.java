package io.confab.cli;

import io.confab.config.LoadedConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `check-config`: every key in effect, or every problem.
@Command(description = "Print every key in effect and where it comes from, or every problem.")
final class CheckConfigCommand implements Callable<Integer> {
  private final Program program;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  CheckConfigCommand(Program program, ConfigOptions options) {
    this.program = program;
    this.options = options;
  }

  @Override
  public Integer call() {
    LoadedConfig loaded = options.load();
    program.check(loaded.config());
    spec.commandLine().getOut().println(loaded.text());
    return 0;
  }
}
