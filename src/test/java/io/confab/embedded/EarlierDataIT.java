package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.postgres.PostgresUrl;
import io.confab.testing.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A data folder that an earlier, unreleased Confab filled.
@Timeout(180)
class EarlierDataIT {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit makes it
  private Path folder;

  /// As the program is started, in a process of its own. `scripts/run` ends with it unless the code
  /// is 3 or 75 (`RunScriptIT`).
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE flyway_schema_history SET version = '36', script = 'V36__earlier.sql'"
            + " WHERE version = '37'",
        "UPDATE flyway_schema_history SET checksum = checksum + 1 WHERE version = '37'"
      })
  void isRefusedInOneLine(String earlier) throws Exception {
    try (DataDir data = DataDir.open(folder.resolve("data"));
        EmbeddedServer<PostgresLogins> postgres =
            EmbeddedPostgres.start(data, TestServers.programs(), 20)) {
      new Migrations(postgres.url()).migrate();
      execute(postgres.url().owner(), earlier);
    }

    TestServers.shareProgramsWith(folder.resolve("data"));
    for (String command : new String[] {"serve", "migrate"}) {
      Path out = Files.createTempFile(folder, command, ".out");
      Path err = Files.createTempFile(folder, command, ".err");
      assertThat(run(command, out, err)).as(command).isEqualTo(1);
      assertThat(out).as(command).isEmptyFile();
      assertThat(Files.readAllLines(err))
          .as(command)
          .filteredOn(line -> !line.matches("[0-9:.]{12} INFO .*"))
          .singleElement()
          .asString()
          .contains("from before Confab's first release")
          .contains("another data folder");
    }
  }

  private static void execute(PostgresUrl url, String sql) throws Exception {
    try (Connection connection = url.connect(Duration.ZERO);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private int run(String command, Path out, Path err) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED", // as the manifest of the jar says
                "-cp",
                System.getProperty("java.class.path"),
                "io.confab.Main",
                command,
                "--data-dir",
                folder.resolve("data").toString()));
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(Map.of("CONFAB_HTTP_PORT", "0", "CONFAB_MANAGEMENT_PORT", "0"));
    Process process = builder.start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
