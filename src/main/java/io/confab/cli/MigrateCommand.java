package io.confab.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `migrate`: brings the schema to this version.
@Command(name = "migrate", description = "Bring the database's schema to this version.")
final class MigrateCommand implements Callable<Integer> {
  private final DataAccess data;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  MigrateCommand(DataAccess data, ConfigOptions options) {
    this.data = data;
    this.options = options;
  }

  @Override
  public Integer call() throws IOException {
    data.run(
        options.load().config(),
        "migrate",
        JsonNodeFactory.instance.objectNode(),
        spec.commandLine().getOut());
    return 0;
  }
}
