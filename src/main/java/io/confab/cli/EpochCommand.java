package io.confab.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `epoch`, which shows the incarnation of the database, and `epoch bump`, which makes it a new
/// one.
@Command(
    description = "Show which incarnation of the database this is.",
    synopsisSubcommandLabel = "[COMMAND]")
final class EpochCommand implements Callable<Integer> {
  @Mixin private final DataAccess data;

  EpochCommand(DataAccess data) {
    this.data = data;
  }

  @Override
  public Integer call() throws IOException {
    data.run("epoch");
    return 0;
  }

  @Command(
      description = {
        "Raise the epoch, after the data were restored from an older copy:",
        "clients forget where they were and read anew."
      })
  void bump(@Mixin DataAccess access) throws IOException {
    access.run("epoch.bump");
  }
}
