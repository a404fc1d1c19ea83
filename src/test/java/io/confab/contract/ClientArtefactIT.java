package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.Nodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The Java client as others take it: resolved by a Maven project that knows nothing else of
/// Confab, from a repository in a folder. Needs Maven.
@Tag("full")
@Tag("packages")
@Timeout(900)
class ClientArtefactIT {
  private static final Path BUILT = Path.of(System.getProperty("confab.jar")).resolveSibling(".");
  private static final Pattern OWN =
      Pattern.compile(
          "io/confab/(client(/sealed(room)?)?|protocol)/\\w[^/]*|io/confab/time/(Backoff|Ticks)\\.class");

  @Test
  void itHoldsTheClientAndTheProtocolAlone() throws IOException {
    try (JarFile jar = new JarFile(BUILT.resolve("confab-client.jar").toFile())) {
      assertThat(jar.stream().map(entry -> entry.getName()).filter(name -> name.endsWith(".class")))
          .contains("io/confab/client/ConfabClient.class", "io/confab/protocol/Secret.class")
          .allMatch(name -> OWN.matcher(name).matches());
    }
  }

  @Test
  void theSampleOfItsDocumentRunsWithWhatItsPomNames(@TempDir Path folder) throws IOException {
    Workbench workbench = new Workbench(folder);
    Files.move(folder.resolve("client-user.xml"), folder.resolve("pom.xml"));
    Files.createDirectories(folder.resolve("src/main/java"));
    Files.writeString(
        folder.resolve("src/main/java/Sample.java"),
        Files.readString(folder.resolve("client-sample.txt")).replace("// the sample", sample()));

    try (Nodes nodes = Nodes.start(1)) {
      String printed =
          workbench.run(
              "mvn",
              "-q",
              "-B",
              "-Dclient.version=" + publish(folder.resolve("repository")),
              "-Dmaven.repo.local=" + cache(folder.resolve("cache")),
              "compile",
              GeneratedClientsIT.EXECUTE,
              "-Dexec.mainClass=Sample",
              "-Dexec.args=http://127.0.0.1:" + nodes.port(0));

      assertThat(printed).contains("stored as #1, read 1");
    }
  }

  private static String sample() throws IOException {
    String document = Files.readString(Path.of("docs/client.md"));
    String begun = document.substring(document.indexOf("```java\n") + 8);
    return begun.substring(0, begun.indexOf("```"));
  }

  /// Puts the jar and its pom where Maven looks for them; answers the version.
  private static String publish(Path repository) throws IOException {
    String pom = Files.readString(BUILT.resolve("client/pom.xml"));
    assertThat(pom).doesNotContain("${");
    Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
    assertThat(version.find()).isTrue();
    Path place =
        Files.createDirectories(repository.resolve("io/confab/confab-client/" + version.group(1)));
    String name = "confab-client-" + version.group(1);
    Files.writeString(place.resolve(name + ".pom"), pom);
    Files.copy(BUILT.resolve("confab-client.jar"), place.resolve(name + ".jar"));
    return version.group(1);
  }

  /// The packages of this machine without what was built of Confab before: a version that is there
  /// is never looked for again.
  private static Path cache(Path cache) throws IOException {
    Path known = Path.of(System.getProperty("user.home"), ".m2", "repository");
    Files.createDirectories(cache.resolve("io"));
    if (Files.isDirectory(known)) {
      link(known, cache, "io");
      link(known.resolve("io"), cache.resolve("io"), "confab");
    }
    return cache;
  }

  private static void link(Path known, Path cache, String but) throws IOException {
    List<Path> entries;
    try (Stream<Path> all = Files.exists(known) ? Files.list(known) : Stream.empty()) {
      entries = all.filter(entry -> !entry.getFileName().toString().equals(but)).toList();
    }
    for (Path entry : entries) {
      Files.createSymbolicLink(cache.resolve(entry.getFileName()), entry);
    }
  }
}
