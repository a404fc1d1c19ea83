package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.Config;
import com.hazelcast.instance.EndpointQualifier;
import io.confab.testing.TestConfig;
import io.vertx.core.eventbus.EventBusOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Hazelcast runs with no service that Vert.x does not need, and none that listens; the bus is not
/// patient with peers that are gone.
class ClusteringOptionsTest {
  private final Config config =
      Clustering.hazelcast(
          TestConfig.cluster(true, 5701, List.of("127.0.0.1:5701", "127.0.0.1:5702")),
          BusKey.ofThisProcess());

  @Test
  void membersAloneConnectAndOnlyThoseThatAreNamedAreAsked() {
    AdvancedNetworkConfig network = config.getAdvancedNetworkConfig();

    assertThat(network.isEnabled()).isTrue();
    assertThat(network.getEndpointConfigs()).containsOnlyKeys(EndpointQualifier.MEMBER);
    assertThat(network.getJoin().getMulticastConfig().isEnabled()).isFalse();
    assertThat(network.getJoin().getAutoDetectionConfig().isEnabled()).isFalse();
    assertThat(network.getJoin().getTcpIpConfig().getMembers())
        .containsExactly("127.0.0.1:5701", "127.0.0.1:5702");
    assertThat(config.getProperty("hazelcast.socket.bind.any")).isEqualTo("false");
  }

  @Test
  void nothingElseIsOn() {
    assertThat(config.getProperty("hazelcast.phone.home.enabled")).isEqualTo("false");
    assertThat(config.getRestConfig().isEnabled()).isFalse();
    assertThat(config.getJetConfig().isEnabled()).isFalse();
    assertThat(config.getCPSubsystemConfig().getCPMemberCount()).isZero();
    assertThat(config.getManagementCenterConfig().isScriptingEnabled()).isFalse();
    assertThat(config.getManagementCenterConfig().isConsoleEnabled()).isFalse();
    assertThat(config.getManagementCenterConfig().isDataAccessEnabled()).isFalse();
    assertThat(config.getUserCodeDeploymentConfig().isEnabled()).isFalse();
    assertThat(config.getNamespacesConfig().isEnabled()).isFalse();
  }

  @Test
  void noClassIsTakenForHarmlessByDefault() {
    assertThat(
            config.getSerializationConfig().getJavaSerializationFilterConfig().isDefaultsDisabled())
        .isTrue();
  }

  @Test
  void aPeerThatAcknowledgesNothingIsGivenUp() {
    EventBusOptions bus = Clustering.eventBus(TestConfig.cluster(true, 5701, List.of()));
    assertThat(bus.isTcpKeepAlive()).isTrue();
    assertThat(bus.getTcpUserTimeout()).isEqualTo(5_000);
  }

  @Test
  void aPeerThatIsSilentIsGivenUp() {
    EventBusOptions bus = Clustering.eventBus(TestConfig.cluster(true, 5701, List.of()));
    assertThat(bus.getClusterPingInterval()).isEqualTo(1_000);
    assertThat(bus.getClusterPingReplyInterval()).isEqualTo(3_000);
  }
}
