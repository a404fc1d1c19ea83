package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `scripts/run` with a stand-in for the JVM, which ends with a code when it is started first and
/// with 0 after that.
@Timeout(180)
class RunScriptIT {
  private static final Path SCRIPTS = Path.of("scripts");

  private final Path root;
  private final Path starts;

  RunScriptIT(@TempDir Path root) {
    this.root = root;
    this.starts = root.resolve("starts");
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @ParameterizedTest
  @CsvSource({"75, 0, 2", "3, 0, 2", "1, 1, 1"})
  void itStartsANodeAgainThatLacksAServerOrMemory(int first, int exit, int times)
      throws IOException, InterruptedException {
    write("scripts/run", Files.readString(SCRIPTS.resolve("run")));
    write("scripts/lib/jdk.sh", Files.readString(SCRIPTS.resolve("lib/jdk.sh")));
    write("scripts/lib/build.sh", "build_jar() { jar=none; }\n");
    write("jdk/release", "JAVA_VERSION=\"25\"\n");
    write("jdk/bin/javac", "");
    write(
        "jdk/bin/java",
        """
        #!/bin/sh
        echo started >> "%1$s"
        [ "$(wc -l < "%1$s")" -gt 1 ] || exit %2$d
        """
            .formatted(starts, first));
    ProcessBuilder script =
        new ProcessBuilder(root.resolve("scripts/run").toString())
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("output").toFile());
    script.environment().put("JAVA_HOME", root.resolve("jdk").toString());

    int code = script.start().waitFor();

    assertThat(code).as(Files.readString(root.resolve("output"))).isEqualTo(exit);
    assertThat(Files.readAllLines(starts)).hasSize(times);
  }
}
