package io.confab.embedded;

import io.confab.testing.TestServers;
import java.nio.file.Path;

/// The programs of the embedded PostgreSQL for tests that run them by themselves, unpacked once for
/// all runs of a build.
public final class UnpackedPostgres {
  private static final Path FOLDER = new Binaries(TestServers.programs()).postgres();

  private UnpackedPostgres() {}

  /// @param name as `initdb`
  public static Path program(String name) {
    return FOLDER.resolve("bin").resolve(name);
  }
}
