package io.confab.bench;

import io.confab.testing.TempFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A program of `src/test/peers` with the packages that its lock file names, installed by npm in a
/// folder that is removed afterwards.
record Packages(Path folder) implements AutoCloseable {
  private static final Path PEERS = Path.of("src/test/peers");
  private static final int MINUTES = 3;

  /// @throws IllegalStateException when npm or a package is missing
  static Packages install(String peer) {
    Path folder = TempFolders.create("confab-bench-npm");
    try {
      try (Stream<Path> files = Files.list(PEERS.resolve(peer))) {
        for (Path file : files.toList()) {
          Files.copy(file, folder.resolve(file.getFileName()));
        }
      }
      Process npm =
          new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("output").toFile())
              .start();
      boolean ended = npm.waitFor(MINUTES, TimeUnit.MINUTES);
      npm.destroyForcibly();
      if (!ended || npm.exitValue() != 0) {
        throw new IllegalStateException(
            "npm cannot install it: " + Files.readString(folder.resolve("output")));
      }
      return new Packages(folder);
    } catch (IOException e) {
      throw new IllegalStateException("npm is missing: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  String file(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public void close() {
    TempFolders.delete(folder);
  }
}
