package io.confab.config;

import java.util.ArrayList;
import java.util.List;

/// What must hold of the public listener: nothing that people say crosses a network in the clear
/// unless somebody said that this is meant.
final class ListenerRules {
  private ListenerRules() {}

  static List<ConfigProblem> check(Config config) {
    Config.Http http = config.http();
    List<ConfigProblem> problems = new ArrayList<>();
    boolean listens =
        config.node().roles().contains(NodeRole.HTTP)
            || config.node().roles().contains(NodeRole.SOCKETS);
    if (listens && http.tls().mode() == TlsMode.NONE && !HostKind.of(http.host()).isLoopback()) {
      problems.add(
          ConfigRules.problem(
              "http.tls.mode",
              "must be files, or proxy where a proxy in front speaks TLS, unless http.host is a"
                  + " loopback address"));
    }
    if (http.tls().mode() == TlsMode.FILES) {
      if (http.tls().certificate().isEmpty()) {
        problems.add(
            ConfigRules.problem("http.tls.certificate", "must be set: http.tls.mode is files"));
      }
      if (http.tls().key().isEmpty()) {
        problems.add(ConfigRules.problem("http.tls.key", "must be set: http.tls.mode is files"));
      }
    }
    return problems;
  }
}
