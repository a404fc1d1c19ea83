package io.confab.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `migrate`: brings the schema to this version.
@Command(description = "Bring the database's schema to this version.")
final class MigrateCommand implements Callable<Integer> {
  @Mixin private final DataAccess data;

  MigrateCommand(DataAccess data) {
    this.data = data;
  }

  @Override
  public Integer call() throws IOException {
    data.run("migrate");
    return 0;
  }
}
