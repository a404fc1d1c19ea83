package io.confab.metrics;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What the dashboard and the alerting rules ask Prometheus.
public final class Queries {
  static final Path DASHBOARD = Path.of("docs/grafana/confab.json");
  static final Path ALERTS = Path.of("docs/grafana/alerts.yaml");

  private Queries() {}

  public static List<String> all() throws IOException {
    return Stream.concat(
            new JsonMapper().readTree(DASHBOARD.toFile()).findValuesAsText("expr").stream(),
            new YAMLMapper().readTree(ALERTS.toFile()).findValuesAsText("expr").stream())
        .toList();
  }
}
