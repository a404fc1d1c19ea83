package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.NetClientOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisLoginTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "WRONGPASS invalid username-password pair or user is disabled.",
        "NOAUTH Authentication required.",
        "NOPERM this user has no permissions to run the 'ping' command"
      })
  void aLoginThatIsRefusedNamesTheSetting(String failure) {
    assertThat(RedisLogin.explain(failure))
        .startsWith(failure)
        .contains(". See ")
        .contains("redis.url")
        .doesNotContain("..");
  }

  @Test
  void anotherFailureIsToldAsItIs() {
    assertThat(RedisLogin.explain("Connection refused")).isEqualTo("Connection refused");
  }

  @Test
  void aPeerThatAcknowledgesNothingIsGivenUp() {
    RedisTopology.Standalone single =
        (RedisTopology.Standalone) RedisUrl.parse("redis://127.0.0.1:6379").topology();
    NetClientOptions net = single.login().options(single.server(), 1).getNetClientOptions();
    assertThat(net.isTcpKeepAlive()).isTrue();
    assertThat(net.getTcpUserTimeout()).isEqualTo(5_000);
  }
}
