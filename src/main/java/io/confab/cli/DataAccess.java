package io.confab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.config.Config;
import io.confab.operator.LocalCommands;
import io.confab.operator.ManagementClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;

/// Carries a command to the data: to the running node, else to the data themselves.
final class DataAccess {
  private final Program program;

  DataAccess(Program program) {
    this.program = program;
  }

  /// Runs a command and prints its answer as one line of JSON.
  void run(Config config, String command, JsonNode body, PrintWriter out) throws IOException {
    try (LocalCommands commands = open(config)) {
      out.println(commands.run(command, body));
    }
  }

  private LocalCommands open(Config config) throws IOException {
    Optional<ManagementClient> node = ManagementClient.find(config.dataDir());
    return node.isPresent() ? new RunningNode(node.get()) : program.open(config);
  }
}
