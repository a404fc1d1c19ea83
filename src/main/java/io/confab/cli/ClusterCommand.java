package io.confab.cli;

import io.confab.local.ClusterPlan;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cluster`: several nodes on this machine, until they are stopped together.
@Command(
    description = {
      "Run several nodes on this machine, on one PostgreSQL and one Redis, until they are"
          + " stopped together.",
      "",
      "A node that dies, or is killed, is started again; PostgreSQL, Redis and the other nodes"
          + " go on meanwhile. The data are those that `serve` has on the same folder. Variables"
          + " CONFAB_… and JDK_JAVA_OPTIONS reach every node.",
      ""
    })
final class ClusterCommand implements Callable<Integer> {
  private final Program program;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "N",
      description = "How many nodes, 1 to " + ClusterPlan.MOST + " (default: ${DEFAULT-VALUE}).")
  private int nodes = 2;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = {
        "API of node 1 (default: ${DEFAULT-VALUE}); its management port is the next, its cluster"
            + " port the one after. Each further node has the same ports 10 higher."
      })
  private int port = 8080;

  ClusterCommand(Program program, Map<String, String> environment, ConfigOptions options) {
    this.program = program;
    this.environment = environment;
    this.options = options;
  }

  @Override
  public Integer call() throws IOException {
    require(nodes >= 1 && nodes <= ClusterPlan.MOST, "N must be 1 to " + ClusterPlan.MOST);
    require(
        port >= 1 && port <= ClusterPlan.HIGHEST_BASE,
        "--port must be 1 to " + ClusterPlan.HIGHEST_BASE);
    var plan = new ClusterPlan(nodes, port, options.file(), forNodes());
    program.cluster(options.load().config(), plan, spec.commandLine().getOut()::println);
    return 0;
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private Map<String, String> forNodes() {
    Map<String, String> all = new HashMap<>(environment);
    all.keySet().removeIf(name -> !name.startsWith("CONFAB_") && !name.equals("JDK_JAVA_OPTIONS"));
    return Map.copyOf(all);
  }
}
