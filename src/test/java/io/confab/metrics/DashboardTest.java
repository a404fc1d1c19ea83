package io.confab.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.awt.Rectangle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The dashboard and the alerting rules are whole. That their meters exist is held to a running
/// node by `ScrapeIT`.
@Timeout(30)
class DashboardTest {
  @Test
  void everyMeterIsOnTheDashboardOrInARule() throws IOException {
    String asked = String.join("\n", Queries.all());

    assertThat(Meter.values())
        .filteredOn(meter -> !asked.contains(meter.title()))
        .containsExactlyInAnyOrder(
            Meter.CHANGES_ACKNOWLEDGED,
            Meter.CHANGES_REFUSED,
            Meter.EVENTS_FANNED_OUT,
            Meter.DIGESTS_PUBLISHED,
            Meter.RECENT_WINDOW_READS,
            Meter.POOL_WAIT_TIME);
  }

  @Test
  void panelsHaveNumbersOfTheirOwnAndDoNotOverlap() throws IOException {
    JsonNode panels = new JsonMapper().readTree(Queries.DASHBOARD.toFile()).path("panels");

    assertThat(panels.findValuesAsText("id")).doesNotHaveDuplicates().isNotEmpty();
    List<Rectangle> places = new ArrayList<>();
    for (JsonNode panel : panels) {
      Rectangle place = place(panel.path("gridPos"));
      assertThat(place.width * place.height).isPositive();
      assertThat(places).noneMatch(place::intersects);
      places.add(place);
    }
  }

  private static Rectangle place(JsonNode grid) {
    return new Rectangle(
        grid.path("x").asInt(),
        grid.path("y").asInt(),
        grid.path("w").asInt(),
        grid.path("h").asInt());
  }

  @Test
  void everyRuleSaysWhatItIsAndWhatToDo() throws IOException {
    JsonNode rules = new YAMLMapper().readTree(Queries.ALERTS.toFile()).at("/groups/0/rules");

    assertThat(rules.findValuesAsText("alert")).doesNotHaveDuplicates().isNotEmpty();
    assertThat(rules)
        .allSatisfy(
            rule -> {
              assertThat(rule.path("alert").asText()).startsWith("Confab");
              assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
              assertThat(rule.at("/annotations/summary").asText()).endsWith(".");
              assertThat(rule.at("/annotations/description").asText()).endsWith(".");
            });
  }
}
