package io.confab.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ClusterPlanTest {
  @Test
  void nodesStandTenPortsApartAndNoPortIsTakenTwice() {
    ClusterPlan plan = new ClusterPlan(8, 8080, Optional.empty(), Map.of());

    assertThat(plan.port(1)).isEqualTo(8080);
    assertThat(plan.managementPort(1)).isEqualTo(8081);
    assertThat(plan.port(2)).isEqualTo(8090);
    assertThat(plan.managementPort(2)).isEqualTo(8091);
    assertThat(plan.ports()).hasSize(24).doesNotHaveDuplicates();
    assertThat(plan.members()).hasSize(8).contains("127.0.0.1:8082", "127.0.0.1:8092");
  }
}
