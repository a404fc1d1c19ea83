package io.confab.cli;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `serve`: a node, until it is stopped.
@Command(name = "serve", description = "Run a node until it is stopped.")
final class ServeCommand implements Callable<Integer> {
  private final Program program;

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

  ServeCommand(Program program, ConfigOptions options) {
    this.program = program;
    this.options = options;
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
    program.serve(options.load(arguments).config());
    return 0;
  }
}
