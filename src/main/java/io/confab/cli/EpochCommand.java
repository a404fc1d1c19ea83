package io.confab.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `epoch`, which shows the incarnation of the database, and `epoch bump`, which makes it a new
/// one: each runs the local command of its name.
abstract sealed class EpochCommand implements Callable<Integer> {
  private final DataAccess data;
  private final String name;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  private EpochCommand(String name, DataAccess data, ConfigOptions options) {
    this.name = name;
    this.data = data;
    this.options = options;
  }

  @Override
  public final Integer call() throws IOException {
    data.run(
        options.load().config(),
        name,
        JsonNodeFactory.instance.objectNode(),
        spec.commandLine().getOut());
    return 0;
  }

  /// `epoch`
  @Command(name = "epoch", description = "Show which incarnation of the database this is.")
  static final class Show extends EpochCommand {
    Show(DataAccess data, ConfigOptions options) {
      super("epoch", data, options);
    }
  }

  /// `epoch bump`
  @Command(
      name = "bump",
      description = {
        "Raise the epoch, after the data were restored from an older copy:",
        "clients forget where they were and read anew."
      })
  static final class Bump extends EpochCommand {
    Bump(DataAccess data, ConfigOptions options) {
      super("epoch.bump", data, options);
    }
  }
}
