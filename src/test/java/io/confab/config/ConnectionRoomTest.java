package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.TestConfig;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectionRoomTest {
  private static final long GB = 1L << 30;

  private final Config config = TestConfig.node(Path.of("unused"));

  @Test
  void aNodeKeepsDescriptorsForItself() {
    int connections = new ConnectionRoom(20_000, 8 * GB).connections(config);

    assertThat(connections).isBetween(19_000, 19_500);
  }

  @Test
  void toPostgresThereAreThoseOfWritersThatThereAreByDefault() {
    Config usual = withWriters(0);

    assertThat(ConnectionRoom.toPostgres(usual))
        .isEqualTo(ConnectionRoom.toPostgres(withWriters(usual.persistence().lanes())));
  }

  private Config withWriters(int writers) {
    Config.Persistence its = config.persistence();
    return TestConfig.with(
        config,
        "persistence",
        new Config.Persistence(
            writers, its.groupRows(), its.queueRows(), its.waitLimit(), its.markerGather()));
  }

  @Test
  void clientsHaveHalfOfFewDescriptors() {
    assertThat(new ConnectionRoom(600, 8 * GB).connections(config)).isEqualTo(300);
  }

  @Test
  void theHeapBoundsThemToo() {
    ConnectionRoom room = new ConnectionRoom(Long.MAX_VALUE, GB);
    Config tls =
        TestConfig.with(
            config,
            "http.tls",
            new Config.ListenerTls(TlsMode.FILES, Optional.empty(), Optional.empty()));

    assertThat(room.connections(config)).isEqualTo(65_536);
    assertThat(room.connections(tls)).isEqualTo(16_384);
  }
}
