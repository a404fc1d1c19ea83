package io.confab.config;

import java.util.ArrayList;
import java.util.List;

/// What must hold of the way between the nodes. The event bus carries what people say and what
/// they prove themselves by; Hazelcast beside it knows neither TLS nor passwords.
final class ClusterRules {
  private ClusterRules() {}

  static List<ConfigProblem> check(Config.Cluster cluster) {
    List<ConfigProblem> problems = new ArrayList<>();
    if (!cluster.tls().isEmpty() && !cluster.tls().isComplete()) {
      problems.add(
          ConfigRules.problem(
              "cluster.tls", "certificate, key and trust must be set together, or none of them"));
    }
    HostKind host = HostKind.of(cluster.host());
    if (!cluster.enabled() || host.isLoopback()) {
      return problems;
    }
    if (host != HostKind.PRIVATE) {
      problems.add(
          ConfigRules.problem(
              "cluster.host",
              "must be a loopback address or that of one private interface, such as 10.0.0.5"));
    } else if (!cluster.privateNetwork()) {
      problems.add(
          ConfigRules.problem(
              "cluster.private_network",
              "must be true to say that only nodes reach cluster.host, which is not loopback"));
    }
    if (cluster.tls().isEmpty()) {
      problems.add(
          ConfigRules.problem(
              "cluster.tls.certificate",
              "must be set, with cluster.tls.key and cluster.tls.trust: beyond loopback the event"
                  + " bus speaks TLS only"));
    }
    return problems;
  }
}
