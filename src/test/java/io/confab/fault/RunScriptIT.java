package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `scripts/run` with a stand-in for the JVM.
@Timeout(180)
class RunScriptIT {
  private static final Path SCRIPTS = Path.of("scripts");

  private final Path root;
  private final Path starts;

  RunScriptIT(@TempDir Path root) {
    this.root = root;
    this.starts = root.resolve("starts");
  }

  private int run(String java) throws IOException, InterruptedException {
    write("scripts/run", Files.readString(SCRIPTS.resolve("run")));
    for (String part : List.of("jdk.sh", "fast-start.sh")) {
      write("scripts/lib/" + part, Files.readString(SCRIPTS.resolve("lib").resolve(part)));
    }
    write("scripts/lib/build.sh", "build_jar() { jar=$root/confab.jar; }\n");
    write("jdk/release", "JAVA_VERSION=\"25\"\n");
    write("jdk/bin/javac", "");
    write("jdk/bin/java", "#!/bin/sh\necho \"$@\" >> " + starts + "\n" + java);
    ProcessBuilder script =
        new ProcessBuilder(root.resolve("scripts/run").toString())
            .redirectErrorStream(true)
            .redirectOutput(output().toFile());
    script.environment().put("JAVA_HOME", root.resolve("jdk").toString());
    script.environment().put("CONFAB_POSTGRES_URL", "postgresql://of-the-installation");
    return script.start().waitFor();
  }

  private Path output() {
    return root.resolve("output");
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /// It ends with a code when it is started first and with 0 after that.
  @ParameterizedTest
  @CsvSource({"75, 0, 2", "3, 0, 2", "1, 1, 1"})
  void itStartsANodeAgainThatLacksAServerOrMemory(int first, int exit, int times)
      throws IOException, InterruptedException {
    write("confab.aot", "made before");

    int code = run("[ \"$(wc -l < %s)\" -gt 1 ] || exit %d".formatted(starts, first));

    assertThat(code).as(Files.readString(output())).isEqualTo(exit);
    assertThat(Files.readAllLines(starts)).hasSize(times);
  }

  /// What it learns with has nothing of the installation.
  @Test
  void theFirstStartMakesACacheForAllOthers() throws IOException, InterruptedException {
    String java =
        """
        case "$*" in *AOTCacheOutput=*) ;; *) exit 0 ;; esac
        [ -z "$CONFAB_POSTGRES_URL" ] || exit 1
        for option in "$@"; do case $option in *AOTCacheOutput=*) made=${option#*=} ;; esac; done
        trap 'echo learned > "$made"; exit 143' TERM
        echo "Sign in as any of these"
        while :; do sleep 0.1; done
        """;

    assertThat(run(java)).as(Files.readString(output())).isZero();
    assertThat(run(java)).as(Files.readString(output())).isZero();

    assertThat(Files.readString(root.resolve("confab.aot"))).isEqualTo("learned\n");
    List<String> began = Files.readAllLines(starts);
    assertThat(began).hasSize(3);
    assertThat(began.getFirst()).contains("AOTCacheOutput");
    assertThat(began.subList(1, 3)).allMatch(line -> line.contains("AOTCache=" + root));
    assertThat(began)
        .as("a cache is good only for headers of the same kind")
        .allMatch(line -> line.contains("-XX:+UseCompactObjectHeaders"));
  }

  @Test
  void aNodeStartsWithoutACacheThatCannotBeMadeAndIsNotTriedAgain()
      throws IOException, InterruptedException {
    String java = "case \"$*\" in *AOTCacheOutput=*) exit 1 ;; esac";

    assertThat(run(java)).as(Files.readString(output())).isZero();
    assertThat(run(java)).as(Files.readString(output())).isZero();

    assertThat(Files.readAllLines(starts)).filteredOn(line -> line.contains("serve")).hasSize(3);
    assertThat(Files.readAllLines(starts)).noneMatch(line -> line.contains("AOTCache="));
  }
}
