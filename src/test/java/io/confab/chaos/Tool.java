package io.confab.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Runs a program of the system to its end.
final class Tool {
  private static final long PATIENCE_S = 30;

  private Tool() {}

  /// What it wrote; empty when there is no such program, it failed, or it did not end in time.
  static Optional<String> run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean ended = process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
      process.destroyForcibly();
      return ended && process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
    } catch (IOException noSuchProgram) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
