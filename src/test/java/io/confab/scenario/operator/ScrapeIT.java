package io.confab.scenario.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.metrics.Meter;
import io.confab.metrics.Queries;
import io.confab.scenario.Nodes;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the dashboard and the alerting rules ask for is there when Prometheus reads a node.
@Timeout(180)
class ScrapeIT {
  private static final Pattern SERIES = Pattern.compile("\\b(?:confab|jvm|process)_[a-z_]+");

  @Test
  void aNodeShowsEveryMeterThatTheDashboardAndTheRulesName() throws IOException {
    try (Nodes nodes = Nodes.start(1)) {
      String scrape = nodes.metrics(0);
      Set<String> shown =
          scrape
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.split("[{ ]", 2)[0])
              .collect(Collectors.toCollection(TreeSet::new));
      shown.add("jvm_gc_pause_seconds_sum"); // with the first collection
      shown.add(Meter.CERTIFICATE_EXPIRES.title()); // with TLS
      shown.add(Meter.PEERS.title()); // in a cluster

      assertThat(SERIES.matcher(String.join("\n", Queries.all())).results().map(MatchResult::group))
          .isNotEmpty()
          .isSubsetOf(shown);
      await()
          .untilAsserted(
              () ->
                  assertThat(nodes.metrics(0))
                      .contains(
                          "confab_dependency_up{dependency=\"postgresql\"} 1.0",
                          "confab_dependency_up{dependency=\"redis\"} 1.0",
                          "confab_dependency_up{dependency=\"node\"} 1.0"));
    }
  }
}
