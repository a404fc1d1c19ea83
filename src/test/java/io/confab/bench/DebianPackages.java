package io.confab.bench;

import io.confab.testing.TempFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Programs of Debian packages with all that these need and the system does not have, loaded by
/// `apt-get` and unpacked in a folder that is removed afterwards: nothing is installed, and no
/// service begins.
record DebianPackages(Path folder) implements AutoCloseable {
  private static final int MINUTES = 5;

  /// @throws IllegalStateException when there is no `apt-get`, or a package is missing
  static DebianPackages unpack(String... names) {
    Path folder = TempFolders.create("confab-bench-debian");
    try {
      Path archives = folder.resolve("archives");
      Files.createDirectories(archives.resolve("partial"));
      List<String> load = new ArrayList<>(List.of("apt-get", "install", "-y", "-q"));
      load.addAll(List.of("--download-only", "--no-install-recommends"));
      load.addAll(List.of("-o", "Debug::NoLocking=1", "-o", "Dir::Cache::archives=" + archives));
      load.addAll(List.of(names));
      run(folder, load);
      try (Stream<Path> loaded = Files.list(archives)) {
        for (Path file : loaded.filter(Files::isRegularFile).toList()) {
          run(folder, List.of("dpkg", "-x", file.toString(), folder.resolve("root").toString()));
        }
      }
      return new DebianPackages(folder);
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static void run(Path folder, List<String> command) throws IOException {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
      process.destroyForcibly();
      if (!ended || process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + ": " + Files.readString(output));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  Path root() {
    return folder.resolve("root");
  }

  /// The only file or folder of this kind.
  Path find(String glob) {
    var matcher = root().getFileSystem().getPathMatcher("glob:" + root() + "/" + glob);
    try (Stream<Path> files = Files.walk(root())) {
      return files.filter(matcher::matches).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    TempFolders.delete(folder);
  }
}
