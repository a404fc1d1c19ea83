package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.testing.TestConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestDeadlineTest {
  private final Config.Http config = TestConfig.node(Path.of("unused")).http();
  /// In the time for a head, and one by which what came while the node slept has been read.
  private static final long SWEEPS =
      TestConfig.node(Path.of("unused")).http().requestTimeout().dividedBy(RequestDeadline.SWEEP)
          + 1;

  private final SocketAddress peer = SocketAddress.inetSocketAddress(4_000, "192.0.2.1");
  private long now;
  private final RequestDeadline deadline = new RequestDeadline(config, () -> this.now);
  private boolean closed;

  @BeforeEach
  void somebodyConnects() {
    deadline.opened(connection());
  }

  private HttpConnection connection() {
    return (HttpConnection)
        Proxy.newProxyInstance(
            HttpConnection.class.getClassLoader(),
            new Class<?>[] {HttpConnection.class},
            (proxy, method, _) ->
                switch (method.getName()) {
                  case "remoteAddress" -> peer;
                  case "closeHandler" -> proxy;
                  case "equals" -> true;
                  default -> {
                    closed = true;
                    yield null;
                  }
                });
  }

  private long sweepsUntilClosed(Duration apart) {
    long sweeps = 0;
    while (!closed) {
      now += apart.toNanos();
      deadline.sweep();
      sweeps++;
    }
    return sweeps;
  }

  @Test
  void whoSendsNoRequestInTimeIsClosed() {
    assertThat(sweepsUntilClosed(RequestDeadline.SWEEP)).isEqualTo(SWEEPS);
  }

  @Test
  void whatCameWhileTheNodeSleptIsNotLate() {
    now += config.requestTimeout().multipliedBy(10).toNanos();
    deadline.sweep();
    deadline.sweep(); // the missed ones, made up for at once
    assertThat(closed).isFalse();
    assertThat(sweepsUntilClosed(RequestDeadline.SWEEP)).isEqualTo(SWEEPS - 1);
  }

  @Test
  void nobodyGetsMoreTimeFromANodeThatIsAlwaysLate() {
    assertThat(sweepsUntilClosed(RequestDeadline.SWEEP.multipliedBy(30))).isEqualTo(SWEEPS);
  }
}
