package io.confab;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.config.Config;
import io.confab.config.ConfigLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class FreePortsTest {
  private static Config ports(int http, int management) {
    return new ConfigLoader(Map.of())
        .load(
            null,
            Map.of(
                "http.port", Integer.toString(http),
                "management.port", Integer.toString(management)))
        .config();
  }

  @Test
  void aPortThatIsTakenIsNamedByItsKeyAndOption() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> FreePorts.require(ports(port, 0)))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("http.port (--port): nothing can listen on port " + port);
      assertThatThrownBy(() -> FreePorts.require(ports(0, port)))
          .hasMessageContaining("management.port (--management-port): nothing can listen");
      assertThatCode(() -> FreePorts.require(ports(0, 0))).doesNotThrowAnyException();
    }
  }
}
