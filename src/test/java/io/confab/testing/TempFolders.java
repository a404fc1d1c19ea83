package io.confab.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Folders that JUnit's `@TempDir` cannot give, for what outlives a test or stands outside one.
public final class TempFolders {
  private TempFolders() {}

  public static Path create(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// With all that is in it; a server that is ending may remove files of its own meanwhile.
  public static void delete(Path folder) {
    try {
      for (Path file : inside(folder)) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> inside(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    } catch (UncheckedIOException removedMeanwhile) {
      if (removedMeanwhile.getCause() instanceof NoSuchFileException) {
        return inside(folder);
      }
      throw removedMeanwhile;
    }
  }
}
