package io.confab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.config.Config;
import io.confab.operator.LocalCommands;
import io.confab.operator.ManagementClient;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Runs local commands on the data that the configuration names: in the node that runs there, else
/// directly.
final class DataAccess {
  private final Program program;

  @Mixin private final ConfigOptions options;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  DataAccess(Program program, ConfigOptions options) {
    this.program = program;
    this.options = options;
  }

  /// Fills the body of a local command from the command line.
  interface Body {
    void fill(ObjectNode body) throws IOException;
  }

  /// Runs a local command that needs nothing but its name.
  void run(String command) throws IOException {
    run(command, _ -> {});
  }

  /// Runs a local command and prints its answer as one line of JSON. The configuration is read
  /// before the body is filled.
  void run(String command, Body says) throws IOException {
    Config config = options.load().config();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    says.fill(body);
    try (LocalCommands commands = open(config)) {
      spec.commandLine().getOut().println(commands.run(command, body));
    }
  }

  /// Runs a local command again and again, each time with `after` as the answer's `next`, until
  /// there is none.
  void pages(String command, Consumer<JsonNode> page) throws IOException {
    Config config = options.load().config();
    try (LocalCommands commands = open(config)) {
      JsonNode next = JsonNodeFactory.instance.missingNode();
      do {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (!next.isMissingNode()) {
          body.set("after", next);
        }
        JsonNode answer = commands.run(command, body);
        page.accept(answer);
        next = answer.path("next");
      } while (!next.isMissingNode());
    }
  }

  private LocalCommands open(Config config) throws IOException {
    Optional<ManagementClient> node = ManagementClient.find(config.dataDir());
    return node.isPresent() ? new RunningNode(node.get()) : program.open(config);
  }
}
