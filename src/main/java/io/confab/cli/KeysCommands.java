package io.confab.cli;

import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `keys …`: the keys that sign access tokens.
@Command(description = "The keys that sign access tokens.", synopsisSubcommandLabel = "COMMAND")
final class KeysCommands {
  @Command(
      description = {
        "Sign access tokens by a new key from now on.",
        "The old one is accepted until the last token that it signed is over."
      })
  void rotate(@Mixin DataAccess data) throws IOException {
    data.run("keys.rotate");
  }
}
