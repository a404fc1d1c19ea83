package io.confab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.confab.config.Config;
import io.confab.local.ClusterPlan;
import io.confab.operator.LocalCommands;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/// A program that only notes what it is asked.
final class RecordingProgram implements Program {
  final List<Config> served = new ArrayList<>();
  final List<Config> checked = new ArrayList<>();
  final List<ClusterPlan> clusters = new ArrayList<>();
  final List<String> ran = new ArrayList<>();
  int closed;
  Function<String, JsonNode> answer =
      command -> JsonNodeFactory.instance.objectNode().put("ok", true);

  @Override
  public void check(Config config) {
    checked.add(config);
  }

  @Override
  public void serve(Config config, Consumer<Serving> ready) {
    served.add(config);
  }

  @Override
  public void cluster(Config config, ClusterPlan plan, Consumer<String> out) {
    clusters.add(plan);
    out.accept("ran");
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

  @Override
  public long backup(Config config, Path file, Consumer<String> says) {
    ran.add("backup " + config.dataDir() + " " + file);
    return 1;
  }

  @Override
  public void restore(Config config, Path file, Consumer<String> says) {
    ran.add("restore " + config.dataDir() + " " + file);
  }
}
