package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A folder in which programs of others run, with the files of `src/test/integrators` in it.
final class Workbench {
  private static final Path FILES = Path.of("src/test/integrators");
  private static final int MINUTES = 10;

  private final Path folder;

  Workbench(Path folder) {
    this.folder = folder;
    try (Stream<Path> files = Files.list(FILES)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path(String name) {
    return folder.resolve(name);
  }

  /// A document of the repository, as a path that holds in the folder.
  static String document(String name) {
    return Path.of("docs", name).toAbsolutePath().toString();
  }

  /// What a program printed; one that fails fails the test.
  String run(String... command) {
    return runIn(".", command);
  }

  /// The same of a program that npm has installed there.
  String runTool(String name, String... arguments) {
    List<String> command = new ArrayList<>(List.of(path("node_modules/.bin/" + name).toString()));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  /// The same in a folder below.
  String runIn(String below, String... command) {
    Path output = folder.resolve("output");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.resolve(below).toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as(List.of(command) + "").isTrue();
      } finally {
        process.destroyForcibly();
      }
      String printed = Files.readString(output);
      assertThat(process.exitValue()).as("%s printed:\n%s", List.of(command), printed).isZero();
      return printed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
