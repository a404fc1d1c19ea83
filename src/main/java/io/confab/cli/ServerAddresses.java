package io.confab.cli;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The servers that a command talks to.
final class ServerAddresses {
  private static final String USUAL = "http://127.0.0.1:8080";

  private final Map<String, String> environment;

  @Option(
      names = "--server",
      paramLabel = "URL[,URL…]",
      description =
          "The server, or several of one installation; the next one is asked when one fails"
              + " (default: CONFAB_SERVER, else "
              + USUAL
              + ").")
  private @Nullable String servers;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  ServerAddresses(Map<String, String> environment) {
    this.environment = environment;
  }

  List<URI> all() {
    String text =
        Optional.ofNullable(servers)
            .or(() -> Optional.ofNullable(environment.get("CONFAB_SERVER")))
            .orElse(USUAL);
    List<URI> all = Stream.of(text.split(",")).map(String::strip).map(this::server).toList();
    if (all.isEmpty()) {
      throw Typed.misuse(spec, "--server names no server");
    }
    return all;
  }

  private URI server(String text) {
    try {
      URI uri = URI.create(text);
      if (uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (IllegalArgumentException _) {
      // refused below
    }
    throw Typed.misuse(spec, "--server: " + text + " is no address such as " + USUAL);
  }
}
