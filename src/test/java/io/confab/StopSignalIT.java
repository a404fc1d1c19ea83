package io.confab;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.logging.AccessLog;
import io.confab.logging.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A JVM of its own tells of its last requests and ends.
@Timeout(120)
class StopSignalIT {
  private static final int REQUESTS = 100;

  public static void main(String[] arguments) {
    AccessLog log = new AccessLog();
    try (StopSignal _ = StopSignal.install(Duration.ofMinutes(1))) {
      for (int i = 1; i <= REQUESTS; i++) {
        log.ended(
            new Exchange(
                "GET",
                "/v1/me",
                200,
                0,
                1,
                "192.0.2.1",
                "192.0.2.1",
                Optional.of("ada"),
                Optional.empty(),
                Optional.of("r" + i)));
      }
    }
    System.exit(0);
  }

  @Test
  void theLastRequestsHaveTheirLines() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                StopSignalIT.class.getName())
            .redirectErrorStream(true)
            .start();

    String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(log.lines().filter(line -> line.contains("access: request"))).hasSize(REQUESTS);
  }
}
