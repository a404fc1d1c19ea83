package io.confab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.confab.config.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// A program that only notes what it is asked.
final class RecordingProgram implements Program {
  final List<Config> served = new ArrayList<>();
  final List<String> ran = new ArrayList<>();
  int closed;
  Function<String, JsonNode> answer =
      command -> JsonNodeFactory.instance.objectNode().put("ok", true);

  @Override
  public void serve(Config config) {
    served.add(config);
  }

  @Override
  public LocalCommands open(Config config) {
    return new LocalCommands() {
      @Override
      public JsonNode run(String command, JsonNode body) {
        ran.add(command + " " + body);
        return answer.apply(command);
      }

      @Override
      public void close() {
        closed++;
      }
    };
  }
}
