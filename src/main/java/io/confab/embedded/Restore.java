package io.confab.embedded;

import io.confab.postgres.EpochStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A new data folder out of a [Backup]. It is made beside its place, PostgreSQL is started on it
/// once, and the epoch is raised: clients know numbers that the copy may give out again. Only then
/// it is moved, so there is a whole one or none.
public final class Restore {
  private static final int CONNECTIONS = 20;

  private Restore() {}

  /// Blocks until a node may be started on the folder, and answers that.
  ///
  /// @param says receives a line for each step
  /// @throws EmbeddedServerException when the folder is not empty, or the file is no whole backup
  public static Path make(Path file, Path folder, Consumer<String> says) throws IOException {
    Path target = folder.toAbsolutePath().normalize();
    refuseFilled(target);
    Path parent = target.getParent() == null ? target : target.getParent();
    Files.createDirectories(parent);
    Path draft = Files.createTempDirectory(parent, target.getFileName() + ".restoring-");
    try {
      says.accept("Unpacking and comparing " + file);
      BackupFile.unpack(file.toAbsolutePath(), draft);
      says.accept("Starting PostgreSQL on it");
      raiseEpoch(draft);
      return Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (SQLException failure) {
      throw new EmbeddedServerException(
          "The epoch could not be raised: " + failure.getMessage(), failure);
    } finally {
      Folders.delete(draft);
    }
  }

  private static void refuseFilled(Path target) throws IOException {
    if (!Files.exists(target)) {
      return;
    }
    try (Stream<Path> inside = Files.list(target)) {
      if (inside.findAny().isPresent()) {
        throw new EmbeddedServerException(
            target + " is not empty; move it away, or name another folder with --data-dir.");
      }
    }
  }

  private static void raiseEpoch(Path draft) throws SQLException {
    try (DataDir data = DataDir.open(draft);
        var postgres = EmbeddedPostgres.start(data, CONNECTIONS)) {
      EpochStore.raise(postgres.url().owner());
    }
  }
}
