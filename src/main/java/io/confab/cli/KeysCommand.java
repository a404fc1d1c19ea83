package io.confab.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `keys rotate`: access tokens are signed by a new key from now on.
@Command(
    name = "rotate",
    description = {
      "Sign access tokens by a new key from now on.",
      "The old one is accepted until the last token that it signed is over."
    })
final class KeysCommand implements Callable<Integer> {
  private final DataAccess data;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  KeysCommand(DataAccess data, ConfigOptions options) {
    this.data = data;
    this.options = options;
  }

  @Override
  public Integer call() throws IOException {
    data.run(
        options.load().config(),
        "keys.rotate",
        JsonNodeFactory.instance.objectNode(),
        spec.commandLine().getOut());
    return 0;
  }
}
