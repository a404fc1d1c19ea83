package io.confab.cli;

import io.confab.config.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `restore`: a new data folder out of a backup.
@Command(
    description = {
      "Make a new data folder out of a backup. Clients forget where they were and read anew."
    })
final class RestoreCommand implements Callable<Integer> {
  private final Program program;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  @Parameters(paramLabel = "FILE", description = "What `backup` wrote.")
  private Path file = Path.of("");

  RestoreCommand(Program program, ConfigOptions options) {
    this.program = program;
    this.options = options;
  }

  @Override
  public Integer call() throws IOException {
    Config config = options.load().config();
    program.restore(config, file, spec.commandLine().getErr()::println);
    spec.commandLine().getOut().println(config.dataDir() + " is restored; start a node on it.");
    return 0;
  }
}
