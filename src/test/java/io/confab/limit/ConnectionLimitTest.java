package io.confab.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.limit.ConnectionLimit.Bound;
import io.confab.listener.ClientAddress;
import io.confab.testing.TestConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
  private final List<Bound> refused = new ArrayList<>();

  private ConnectionLimit limit(int connections, int ofAddress) {
    Config.Http http =
        TestConfig.with(
                TestConfig.with(
                    TestConfig.node(Path.of("unused")), "http.connections", connections),
                "http.address_connections",
                ofAddress)
            .http();
    return new ConnectionLimit(http, 8, new OncePerMinute(() -> 0), refused::add);
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
