package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.redis.client.impl.types.ErrorType;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedirectTest {
  private static final RedisServer ASKED = new RedisServer("asked", 1);

  @Test
  void theAnswersOfAClusterAreUnderstood() {
    assertThat(redirect("MOVED 3999 127.0.0.1:6381"))
        .contains(new Redirect.Moved(3999, new RedisServer("127.0.0.1", 6381)));
    assertThat(redirect("ASK 3999 redis.example:6381"))
        .contains(new Redirect.Ask(new RedisServer("redis.example", 6381)));
    assertThat(redirect("TRYAGAIN Multiple keys request during rehashing of slot"))
        .contains(new Redirect.Later());
    assertThat(redirect("CLUSTERDOWN The cluster is down")).contains(new Redirect.Later());
    assertThat(redirect("ERR unknown command")).isEmpty();
    assertThat(Redirect.of(new IllegalStateException("MOVED 1 a:1"), ASKED)).isEmpty();
  }

  @Test
  void aHostThatIsLeftOutIsTheOneThatWasAskedAndAnIpv6AddressKeepsItsColons() {
    assertThat(redirect("MOVED 3999 :6381"))
        .contains(new Redirect.Moved(3999, new RedisServer("asked", 6381)));
    assertThat(redirect("MOVED 3999 ::1:6381"))
        .contains(new Redirect.Moved(3999, new RedisServer("::1", 6381)));
  }

  private static Optional<Redirect> redirect(String error) {
    return Redirect.of(ErrorType.create(error), ASKED);
  }
}
