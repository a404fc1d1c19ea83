package io.confab.operator;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/// Runs commands on the data by name (`account.create`, `account.admin`, `account.password`,
/// `keys.rotate`, `epoch`, `epoch.bump`, `migrate` and so on): in the node that runs on the data
/// folder, or in this process when none does.
public interface LocalCommands extends AutoCloseable {

  /// The command's answer. Blocks. Refusals come as `Refusal`.
  JsonNode run(String command, JsonNode body) throws IOException;

  /// Stops what was started for the commands.
  @Override
  void close() throws IOException;
}
