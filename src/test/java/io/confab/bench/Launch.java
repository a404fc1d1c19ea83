package io.confab.bench;

import io.confab.testing.TempFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A server's process with all that it begins, and a folder for its output. All of it is gone after
/// [#close].
final class Launch implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration STOP = Duration.ofSeconds(20);
  private static final long LOOK_NS = 1_000_000;

  private final Process process;
  private final Path folder;

  private Launch(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
  }

  static Launch of(ProcessBuilder command) {
    Path folder = TempFolders.create("confab-bench");
    try {
      return new Launch(
          command
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("output").toFile())
              .start(),
          folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A class of the tests with a `main` method.
  static Launch java(Class<?> main, String... arguments) {
    return of(
        new ProcessBuilder(
            Stream.concat(
                    Stream.of(
                        program(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName()),
                    Stream.of(arguments))
                .toList()));
  }

  /// This JDK.
  static String program() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /// Waits until it says so.
  Matcher await(Pattern line) {
    long until = System.nanoTime() + START.toNanos();
    while (System.nanoTime() < until && process.isAlive()) {
      Matcher found = line.matcher(output());
      if (found.find()) {
        return found;
      }
      LockSupport.parkNanos(LOOK_NS);
    }
    throw new IllegalStateException("did not start:\n" + output());
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  List<ProcessHandle> family() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  private void kill() {
    family().forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    try {
      List<ProcessHandle> family = family();
      process.destroy();
      if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        kill();
      }
      for (ProcessHandle one : family) {
        one.destroyForcibly();
        one.onExit().orTimeout(STOP.toSeconds(), TimeUnit.SECONDS).join();
      }
      TempFolders.delete(folder);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
