package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A start that does not come to its end.
@Timeout(400)
class StartIT {
  @ParameterizedTest
  @CsvSource({"--port, --management-port, http.port", "--management-port, --port, management.port"})
  void aTakenPortIsNamedWithItsKeyBeforeAnythingIsStarted(
      String taken, String free, String key, @TempDir Path folder) throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(other.getLocalPort());

      Jar.Result refused =
          Jar.run("", List.of("serve", "--data-dir", folder.toString(), taken, port, free, "0"));

      assertThat(refused).returns(1, Jar.Result::exit);
      assertThat(refused.err().lines())
          .filteredOn(line -> !line.contains(" INFO "))
          .singleElement()
          .asString()
          .contains(port, key);
      assertThat(NodeProcess.workingIn(folder)).isEmpty();
      assertThat(folder.resolve("postgres")).doesNotExist();
    }
  }

  @Test
  void checkConfigAndServeJudgeAlike(@TempDir Path folder) {
    Map<String, String> wrong =
        Map.of(
            "CONFAB_HTTP_TLS_MODE", "files",
            "CONFAB_HTTP_TLS_CERTIFICATE", "/no/certificate.pem",
            "CONFAB_HTTP_TLS_KEY", "/no/key.pem",
            "CONFAB_DATA_DIR", folder.toString());

    Jar.Result checked = Jar.run(wrong, "", List.of("check-config"));
    Jar.Result served = Jar.run(wrong, "", List.of("serve"));

    assertThat(checked)
        .isEqualTo(
            new Jar.Result(
                2,
                "",
                "http.tls.certificate: cannot be read: there is no such file or folder"
                    + " (/no/certificate.pem)\n"));
    assertThat(served.exit()).isEqualTo(checked.exit());
    assertThat(served.err().lines().filter(line -> !line.contains(" INFO ")))
        .containsExactlyElementsOf(checked.err().lines().toList());
  }

  @Test
  void aPostgresThatDoesNotAnswerIsNamedAndMayBeTriedAgain(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("output");
    Process node =
        Jar.command(
                Map.of("CONFAB_POSTGRES_URL", "postgresql://confab:hush@127.0.0.1:1/confab"),
                List.of("serve", "--data-dir", folder.toString(), "--port", "0"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    assertThat(node.waitFor(180, TimeUnit.SECONDS)).isTrue();
    assertThat(node.exitValue()).isEqualTo(75);
    assertThat(Files.readAllLines(output))
        .filteredOn(line -> !line.contains(" INFO "))
        .singleElement()
        .asString()
        .contains("PostgreSQL at 127.0.0.1:1 does not answer", "postgres.url")
        .doesNotContain("hush");
  }

  @Test
  void aStopDuringTheStartIsHeardAndOrderly(@TempDir Path folder) throws Exception {
    Path output = Files.createTempFile("confab-start", ".log");
    Process node =
        Jar.command(
                Map.of(),
                List.of(
                    "serve",
                    "--data-dir",
                    folder.toString(),
                    "--port",
                    "0",
                    "--management-port",
                    "0"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> Files.readString(output).contains("PostgreSQL is running"));

    node.destroy();

    assertThat(node.waitFor(180, TimeUnit.SECONDS)).isTrue();
    assertThat(node.exitValue()).isEqualTo(143);
    await().atMost(Duration.ofMinutes(3)).until(() -> NodeProcess.workingIn(folder).isEmpty());
    assertThat(stoppedCleanly(folder)).isTrue();
    assertThat(folder.resolve("management.json")).doesNotExist();
    assertThat(Files.readString(output)).doesNotContain("ERROR", "Exception");
    Files.delete(output);
  }

  private static boolean stoppedCleanly(Path folder) throws IOException {
    try (Stream<String> lines = Files.lines(folder.resolve("logs/postgres.log"))) {
      return lines.anyMatch(line -> line.contains("database system is shut down"));
    }
  }
}
