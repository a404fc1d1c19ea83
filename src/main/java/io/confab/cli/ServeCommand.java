package io.confab.cli;

import io.confab.client.ApiException;
import io.confab.demo.World;
import io.confab.screen.PlainScreen;
import io.confab.screen.Screen;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `serve`: a node, until it is stopped.
@Command(description = "Run a node until it is stopped.")
final class ServeCommand implements Callable<Integer> {
  private final Program program;
  private final Typed typed;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ConfigOptions options;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "For API and sockets (key http.port).")
  private @Nullable String port;

  @Option(
      names = "--management-port",
      paramLabel = "PORT",
      description = "For health, metrics and local commands (key management.port).")
  private @Nullable String managementPort;

  @Option(
      names = "--demo",
      description =
          "Once the node is ready, add people, rooms and conversations to look at, and print the"
              + " sign-ins; what is there already is not added again.")
  private boolean demo;

  ServeCommand(Program program, ConfigOptions options, Typed typed) {
    this.program = program;
    this.options = options;
    this.typed = typed;
  }

  @Override
  public Integer call() throws IOException {
    Map<String, String> arguments = new HashMap<>();
    if (port != null) {
      arguments.put("http.port", port);
    }
    if (managementPort != null) {
      arguments.put("management.port", managementPort);
    }
    if (demo) {
      arguments.put(
          "http.access_log", "false"); // its hundreds of requests are told by its progress
    }
    program.serve(options.load(arguments).config(), demo ? this::addWorld : _ -> {});
    return 0;
  }

  private void addWorld(Program.Serving node) {
    Screen screen = new PlainScreen(spec.commandLine().getOut(), typed.isTerminal());
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
    try {
      new World(vertx, List.of(node.address()), screen, node.past()::move).build();
    } catch (IOException | ApiException failure) {
      screen.line("✗ The demo world is not whole: " + failure.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      vertx.close();
    }
  }
}
