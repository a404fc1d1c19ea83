package io.confab.config;

import io.confab.protocol.Secret;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What must hold between keys; each rule stands here once.
final class ConfigRules {
  private static final String SOURCE = "several keys";

  private ConfigRules() {}

  static List<ConfigProblem> check(Config config) {
    List<ConfigProblem> problems = new ArrayList<>();
    if (config.http().port() != 0 && config.http().port() == config.management().port()) {
      problems.add(problem("management.port", "must differ from http.port"));
    }
    if (!config.node().roles().containsAll(EnumSet.allOf(NodeRole.class))
        && !config.cluster().enabled()) {
      problems.add(problem("node.roles", "must be all roles unless cluster.enabled is true"));
    }
    if (config.postgres().ownerUrl().isPresent() && config.postgres().url().isEmpty()) {
      problems.add(problem("postgres.owner_url", "needs postgres.url"));
    }
    config
        .postgres()
        .ownerUrl()
        .ifPresent(
            owner ->
                config
                    .postgres()
                    .url()
                    .filter(node -> areApart(database(node), database(owner)))
                    .ifPresent(
                        _ ->
                            problems.add(
                                problem(
                                    "postgres.owner_url",
                                    "must name the host and the database of postgres.url"))));
    problems.addAll(ListenerRules.check(config));
    problems.addAll(ClusterRules.check(config.cluster()));
    for (String network : config.http().trustedProxies()) {
      if (!isAddress(network.split("/", 2)[0])) {
        problems.add(problem("http.trusted_proxies", "must be addresses or networks"));
      }
    }
    if (config.sockets().pingInterval().compareTo(config.sockets().beatTimeout()) >= 0) {
      problems.add(problem("sockets.ping_interval", "must be shorter than sockets.beat_timeout"));
    }
    if (config.sockets().helloFrameBytes() > config.sockets().frameBytes()) {
      problems.add(problem("sockets.hello_frame_bytes", "must be at most sockets.frame_bytes"));
    }
    if (config.persistence().groupRows() > config.persistence().queueRows()) {
      problems.add(problem("persistence.group_rows", "must be at most persistence.queue_rows"));
    }
    if (config.accounts().argon2().memoryKib() < 8 * config.accounts().argon2().parallelism()) {
      problems.add(
          problem(
              "accounts.argon2.memory_kib", "must be at least 8 × accounts.argon2.parallelism"));
    }
    if (config.limits().resumeEventsPerRoom() > config.limits().resumeEventsPerSession()) {
      problems.add(
          problem(
              "limits.resume_events_per_room", "must be at most limits.resume_events_per_session"));
    }
    OutsideIssuerRules.check(config.accounts().issuers())
        .forEach(wrong -> problems.add(problem("accounts.issuers", wrong)));
    return problems;
  }

  private static boolean areApart(Optional<List<String>> one, Optional<List<String>> other) {
    return one.isPresent() && other.isPresent() && !one.equals(other);
  }

  /// Host and database of a URL, as they stand in it or by default; the port may be that of a
  /// pooler. None of a text that is no URL: where it is read, that is said without the text, in
  /// which a password may stand.
  private static Optional<List<String>> database(Secret url) {
    try {
      URI uri = new URI(url.value());
      String host = Optional.ofNullable(uri.getHost()).orElse("127.0.0.1");
      String path =
          Optional.ofNullable(uri.getPath()).filter(p -> p.length() > 1).orElse("/confab");
      return Optional.of(List.of(host.toLowerCase(Locale.ROOT), path));
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static boolean isAddress(String text) {
    try {
      int length = InetAddress.ofLiteral(text).getAddress().length;
      return length > 4 || text.chars().filter(c -> c == '.').count() == 3;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  static ConfigProblem problem(String path, String allowed) {
    return new ConfigProblem(path, null, allowed, SOURCE);
  }
}
