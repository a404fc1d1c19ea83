package io.confab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `backup`: a copy of everything that must stay, while nodes run.
@Command(
    description = {
      "Copy the embedded database and the secrets of the data folder to a file,",
      "while nodes run or not. The file is as secret as the data folder."
    })
final class BackupCommand implements Callable<Integer> {
  private final Program program;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  @Parameters(paramLabel = "FILE", description = "What to write; it must not exist.")
  private Path file = Path.of("");

  BackupCommand(Program program, ConfigOptions options) {
    this.program = program;
    this.options = options;
  }

  @Override
  public Integer call() throws IOException {
    var err = spec.commandLine().getErr();
    long size = program.backup(options.load().config(), file, err::println);
    spec.commandLine().getOut().println(file + " is written and whole: " + size + " bytes.");
    return 0;
  }
}
