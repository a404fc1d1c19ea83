package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The Debian package and the unit, as far as they can be tried without root;
/// `scripts/lib/try-deb` is for the rest.
@Tag("full")
@Tag("packages")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class PackageIT {
  private static final Duration SOON = Duration.ofMinutes(3);

  private final Path folder;

  PackageIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void thePackageCarriesANodeThatRunsOnItsOwnRuntime() throws Exception {
    run(List.of("scripts/deb"));
    Path deb;
    try (var made = Files.newDirectoryStream(Path.of("target"), "confab_*.deb")) {
      deb = made.iterator().next();
    }
    assertThat(run(List.of("dpkg-deb", "--info", deb.toString())))
        .contains("Package: confab", "conffiles", "postinst");
    assertThat(run(List.of("dpkg-deb", "--contents", deb.toString())).lines())
        .allMatch(line -> line.contains(" root/root "))
        .anyMatch(line -> line.endsWith("./usr/lib/systemd/system/confab.service"))
        .anyMatch(line -> line.endsWith("./usr/share/doc/confab/copyright"))
        .anyMatch(line -> line.startsWith("-rwxr-xr-x") && line.endsWith("./usr/bin/confab"));
    run(List.of("dpkg-deb", "--extract", deb.toString(), folder.toString()));
    Path lib = folder.resolve("usr/lib/confab");
    Path output = folder.resolve("output");
    ProcessBuilder serve =
        new ProcessBuilder(
            lib.resolve("runtime/bin/java").toString(),
            "-jar",
            lib.resolve("confab.jar").toString(),
            "serve",
            "--port=0",
            "--management-port=0",
            "--data-dir=" + folder.resolve("data"));
    serve.environment().keySet().retainAll(Set.of("PATH"));
    Process node = serve.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      await().atMost(SOON).until(() -> Files.readString(output).contains("Confab is ready"));
      node.destroy();
      assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(node.exitValue()).isEqualTo(143);
      assertThat(Files.readString(output)).doesNotContain("WARNING", "ERROR", "ClassNotFound");
    } finally {
      node.destroyForcibly();
    }
  }

  @Test
  void theRuntimeHasEveryModuleThatTheJarNeeds() throws Exception {
    String jdeps = Path.of(System.getProperty("java.home"), "bin", "jdeps").toString();
    Set<String> needed =
        modules(
            run(
                List.of(
                    jdeps,
                    "--ignore-missing-deps",
                    "--multi-release=25",
                    "--print-module-deps",
                    Jar.path().toString())));
    String script = Files.readString(Path.of("scripts/install"));
    Set<String> linked =
        modules(script.lines().filter(l -> l.startsWith("readonly MODULES=")).toList().getFirst());
    assertThat(needed).contains("java.base").isSubsetOf(linked);
  }

  @Test
  void theUnitIsValidAndHardened() throws Exception {
    Path unit = folder.resolve("confab.service");
    Files.copy(Path.of("conf/confab.service"), unit, StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(unit, Files.readString(unit).replace("/usr/bin/confab", "/bin/true"));
    assertThat(run(List.of("systemd-analyze", "verify", unit.toString())).lines())
        .as("what is said of this unit; those of the machine are its own matter")
        .noneMatch(line -> line.contains("confab.service"));
    run(
        List.of(
            "systemd-analyze", "security", "--offline=true", "--threshold=20", unit.toString()));
  }

  private static Set<String> modules(String list) {
    String names = list.strip().substring(list.indexOf('=') + 1);
    return new TreeSet<>(List.of(names.split(",", -1)));
  }

  /// What a program prints; it must succeed.
  private static String run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(Map.of("JAVA_HOME", System.getProperty("java.home")));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
    return output;
  }
}
