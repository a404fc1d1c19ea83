package io.confab.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.config.Rate;
import io.confab.limit.ConnectionLimit.Bound;
import io.confab.listener.ClientAddress;
import io.confab.testing.TestConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
  private long now;
  private final List<Bound> refused = new ArrayList<>();

  private ConnectionLimit limit(int connections, int ofAddress) {
    Rate rate = new Rate(1, Duration.ofSeconds(1), 5);
    Config config = TestConfig.node(Path.of("unused"));
    config = TestConfig.with(config, "http.connections", connections);
    config = TestConfig.with(config, "http.address_connections", ofAddress);
    config = TestConfig.with(config, "rates", TestConfig.rates(Map.of("connections", rate)));
    return new ConnectionLimit(config, 8, refused::add, () -> now);
  }

  private static ClientAddress peer(String address) {
    return ClientAddress.parse(address).orElseThrow();
  }

  @Test
  void theConfigurationMayLeaveItToTheProcess() {
    ConnectionLimit limit = limit(0, 0);

    assertThat(limit.admit(peer("192.0.2.1"))).isTrue();
    assertThat(limit.admit(peer("192.0.2.1"))).isTrue();
    assertThat(limit.admit(peer("192.0.2.1"))).isFalse();
    assertThat(limit.admit(peer("192.0.2.2"))).isTrue();
    assertThat(limit.open()).isEqualTo(3);
  }

  @Test
  void anAddressOpensThemNoMoreOftenThanTheRateSays() {
    ConnectionLimit limit = limit(100, 100);
    for (int i = 0; i < 5; i++) {
      assertThat(limit.admit(peer("192.0.2.1"))).isTrue();
      limit.left(peer("192.0.2.1"));
    }
    assertThat(limit.admit(peer("192.0.2.1"))).isFalse();
    assertThat(limit.admit(peer("192.0.2.2"))).isTrue();
    assertThat(refused).containsExactly(Bound.RATE);

    now += Duration.ofSeconds(1).toNanos();

    assertThat(limit.admit(peer("192.0.2.1"))).isTrue();
  }

  @Test
  void aNetworkOfIpv6IsOneAddress() {
    ConnectionLimit limit = limit(10, 1);

    assertThat(limit.admit(peer("2001:db8::1"))).isTrue();
    assertThat(limit.admit(peer("2001:db8::2"))).isFalse();
    assertThat(limit.admit(peer("2001:db8:0:1::1"))).isTrue();
  }

  @Test
  void anAddressHasRoomForOneAtLeast() {
    assertThat(limit(1, 0).admit(peer("192.0.2.1"))).isTrue();
  }

  @Test
  void aRefusalSaysWhichBound() {
    ConnectionLimit limit = limit(2, 1);
    limit.admit(peer("192.0.2.1"));
    limit.admit(peer("192.0.2.1"));
    limit.admit(peer("192.0.2.2"));
    limit.admit(peer("192.0.2.3"));

    assertThat(refused).containsExactly(Bound.ADDRESS, Bound.TOTAL);
  }
}
