package io.confab.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Certificates of an authority of a test's own, made by `scripts/certificates`.
public final class Certificates {
  private Certificates() {}

  /// Makes `ca.crt` and, for each name, `NAME.crt` and `NAME.key` in the folder.
  public static Path make(Path folder, String... names) {
    List<String> command = new ArrayList<>();
    command.add(Path.of("scripts", "certificates").toAbsolutePath().toString());
    command.add(folder.toString());
    command.addAll(List.of(names));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectOutput(folder.resolveSibling(folder.getFileName() + ".log").toFile());
    try {
      Process process = builder.start();
      if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException(command + " failed");
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
