package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands of the jar that need neither a node nor a server.
@Timeout(200)
class JarIT {
  @Test
  void theVersionIsThatOfTheJar() {
    Jar.Result version = Jar.run("", List.of("version"));
    assertThat(version.exit()).isZero();
    assertThat(version.out()).contains("Confab 0.", "Java 25");
  }

  @Test
  void aBadKeyIsNamedWithItsValueAndWhatIsAllowed(@TempDir Path other) throws IOException {
    Path file = Files.writeString(other.resolve("bad.yaml"), "http:\n  port: 70000\n  prot: 1\n");
    Jar.Result checked = Jar.run("", List.of("check-config", "--config", file.toString()));
    assertThat(checked.exit()).isEqualTo(2);
    assertThat(checked.err()).contains("http.port", "70000", "65535", "http.prot");
  }
}
