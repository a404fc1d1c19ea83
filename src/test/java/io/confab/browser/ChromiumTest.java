package io.confab.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Which browser the browser tests take, and what they say where there is none.
@Timeout(60)
class ChromiumTest {
  private final Path folder;

  ChromiumTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Path program(String name) throws IOException {
    Path program = Files.createFile(folder.resolve(name));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  @Test
  void theOneOnThePathIsTaken() throws IOException {
    Files.createFile(folder.resolve("chromium"));
    Path chrome = program("google-chrome");

    assertThat(Chromium.find(Map.of("PATH", "/nowhere:" + folder))).contains(chrome);
  }

  @Test
  void theOneThatIsNamedIsTaken() throws IOException {
    program("chromium");
    Path other = program("other");

    assertThat(
            Chromium.find(Map.of("PATH", folder.toString(), Chromium.VARIABLE, other.toString())))
        .contains(other);
  }

  @Test
  void whereThereIsNoneItIsSaidHowToGetOne() {
    assertThat(Chromium.find(Map.of("PATH", folder.toString()))).isEmpty();
    assertThat(Chromium.find(Map.of())).isEmpty();
    assertThat(Chromium.missing())
        .hasMessageContaining("apt-get install chromium")
        .hasMessageContaining(Chromium.VARIABLE);
  }
}
