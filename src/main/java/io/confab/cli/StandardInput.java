package io.confab.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Standard input of this process. Where it was closed before the process began, as by `<&-`, the
/// first file that the Java runtime opens takes its number, and would be read in its place.
public final class StandardInput {
  private static final Path DESCRIPTOR = Path.of("/proc/self/fd/0");

  private StandardInput() {}

  /// What was given to the process; at its end at once where nothing was.
  public static InputStream open() {
    return isOfTheRuntime() ? InputStream.nullInputStream() : System.in;
  }

  private static boolean isOfTheRuntime() {
    try {
      return Files.exists(DESCRIPTOR)
          && DESCRIPTOR
              .toRealPath()
              .startsWith(Path.of(System.getProperty("java.home")).toRealPath());
    } catch (IOException unknown) { // a pipe or a socket is no path
      return false;
    }
  }
}
