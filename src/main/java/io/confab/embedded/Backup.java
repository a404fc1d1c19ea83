package io.confab.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A copy of the embedded PostgreSQL and of the secrets, taken while nodes work on it. It holds
/// what was committed until its end: PostgreSQL writes whole pages meanwhile, and its write-ahead
/// log since the beginning makes files whole that changed while they were read
/// (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP). A
/// replication slot keeps that log until it is copied.
public final class Backup {
  private static final Duration CHECKPOINT = Duration.ofMinutes(10);
  private static final int CONNECTIONS = 20;
  private static final String DATA = "postgres/data";
  private static final String CONTROL = "global/pg_control";

  /// Folders that are empty after a start, and the log, which follows by itself.
  private static final Set<String> EMPTY =
      Set.of(
          "pg_wal",
          "pg_replslot",
          "pg_dynshmem",
          "pg_notify",
          "pg_serial",
          "pg_snapshots",
          "pg_stat_tmp",
          "pg_subtrans");

  private static final Set<String> OF_THE_RUN =
      Set.of("postmaster.pid", "postmaster.opts", "current_logfiles");

  private final Path folder;
  private final BackupFile target;
  private final Progress progress;

  private Backup(Path folder, BackupFile target, Progress progress) {
    this.folder = folder;
    this.target = target;
    this.progress = progress;
  }

  /// Blocks until the file is whole and on the disk. Without a node on the data folder it starts
  /// PostgreSQL for the moment. Answers the size of the file.
  ///
  /// @param says receives a line now and then
  /// @throws EmbeddedServerException when there is nothing to copy, or the file exists
  public static long make(Path folder, Path file, Consumer<String> says) throws IOException {
    Path data = folder.toAbsolutePath().normalize();
    if (!Files.exists(data.resolve(DATA).resolve("PG_VERSION"))) {
      throw new EmbeddedServerException("There is no embedded PostgreSQL in " + data + ".");
    }
    try (BackupFile target = BackupFile.create(file.toAbsolutePath())) {
      Backup backup = new Backup(data, target, new Progress(says, size(data)));
      Optional<DataDir> free = DataDir.openUnlessUsed(data);
      if (free.isEmpty()) {
        backup.write();
      } else {
        try (DataDir own = free.get();
            var _ = EmbeddedPostgres.start(own, CONNECTIONS)) {
          backup.write();
        }
      }
      return target.publish();
    } catch (SQLException failure) {
      throw new EmbeddedServerException(
          "PostgreSQL could not be copied: " + failure.getMessage(), failure);
    }
  }

  private void write() throws IOException, SQLException {
    copySecrets();
    try (Connection connection = PostgresCluster.running(folder).connect(CHECKPOINT);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_create_physical_replication_slot("
              + "'confab_backup_' || pg_backend_pid(), true, true)");
      String first =
          row(statement, "pg_walfile_name(pg_backup_start('confab backup', true))", 1)[0];
      copyFiles();
      target.bytes(DATA + "/" + CONTROL, control());
      String[] end =
          row(statement, "labelfile, pg_walfile_name(lsn) FROM pg_backup_stop(false)", 2);
      target.bytes(DATA + "/backup_label", end[0].getBytes(StandardCharsets.UTF_8));
      copyLog(first, end[1]);
    }
  }

  private static String[] row(Statement statement, String what, int columns) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT " + what)) {
      rows.next();
      String[] values = new String[columns];
      for (int i = 0; i < columns; i++) {
        values[i] = rows.getString(i + 1);
      }
      return values;
    }
  }

  private void copySecrets() throws IOException {
    for (Path secret : inside(folder.resolve("secrets"))) {
      target.file("secrets/" + secret.getFileName(), secret);
    }
  }

  private void copyFiles() throws IOException {
    Path data = folder.resolve(DATA);
    walk(
        data,
        path -> target.folder(name(path)),
        path -> progress.copied(target.file(name(path), path)));
  }

  private String name(Path path) {
    return folder.relativize(path).toString();
  }

  /// The file that PostgreSQL reads first may be written while it is read, and nothing mends it.
  private byte[] control() throws IOException {
    Path file = folder.resolve(DATA).resolve(CONTROL);
    byte[] former = {};
    byte[] content = Files.readAllBytes(file);
    while (!Arrays.equals(former, content)) {
      former = content;
      content = Files.readAllBytes(file);
    }
    return content;
  }

  private void copyLog(String first, String last) throws IOException {
    Set<String> missing = new TreeSet<>(List.of(first, last));
    for (Path segment : inside(folder.resolve(DATA).resolve("pg_wal"))) {
      String name = segment.getFileName().toString();
      boolean needed =
          name.matches("[0-9A-F]{24}") && name.compareTo(first) >= 0 && name.compareTo(last) <= 0;
      if (needed || name.endsWith(".history")) {
        missing.remove(name);
        if (target.file(DATA + "/pg_wal/" + name, segment) == 0) {
          missing.add(name);
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new EmbeddedServerException(
          "The copy is not whole: " + missing + " of the write-ahead log is gone. Try again.");
    }
  }

  private static List<Path> inside(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static long size(Path folder) throws IOException {
    long[] sum = {0};
    walk(folder.resolve(DATA), _ -> {}, path -> sum[0] += path.toFile().length());
    return sum[0];
  }

  private interface Visit {
    void of(Path path) throws IOException;
  }

  /// What a backup has of the files of PostgreSQL, some of which may go meanwhile.
  private static void walk(Path data, Visit folder, Visit file) throws IOException {
    Files.walkFileTree(
        data,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes what)
              throws IOException {
            folder.of(path);
            return EMPTY.contains(data.relativize(path).toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes what) throws IOException {
            String name = path.getFileName().toString();
            if (!OF_THE_RUN.contains(name)
                && !data.relativize(path).toString().equals(CONTROL)
                && !name.startsWith("pg_internal.init")
                && !name.startsWith("pgsql_tmp")) {
              file.of(path);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }

  /// Tells of each further tenth.
  private static final class Progress {
    private static final long MB = 1_000_000;

    private final Consumer<String> says;
    private final long total;
    private long copied;
    private long told;

    Progress(Consumer<String> says, long total) {
      this.says = says;
      this.total = total;
    }

    void copied(long bytes) {
      copied += bytes;
      long tenth = Math.min(10, copied * 10 / Math.max(1, total));
      if (tenth > told) {
        told = tenth;
        says.accept("%d %% of about %d MB".formatted(tenth * 10, total / MB));
      }
    }
  }
}
