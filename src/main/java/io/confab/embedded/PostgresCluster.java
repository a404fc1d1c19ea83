package io.confab.embedded;

import io.confab.postgres.PostgresUrl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PostgreSQL's files below the data folder and the programs that work on them. A new cluster is
/// made beside its place and then moved, so there is a whole one or none.
///
/// The lock on the data folder keeps other Confabs away. An earlier one may have left a server that
/// is still shutting down, or the `postmaster.pid` of one that was killed, which PostgreSQL
/// believes when another process has the number now. The processes of a cluster are recognized by
/// their working folder.
record PostgresCluster(Path programs, ServerUser user, Path home, Path passwordFile) {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresCluster.class);
  private static final Duration INIT_LIMIT = Duration.ofSeconds(90);
  private static final Duration OLD_SERVER_LIMIT = Duration.ofSeconds(25);
  private static final int POLL_MILLIS = 50;
  private static final int PORT_LINE = 3;

  static PostgresCluster of(DataDir dataDir, Path programs) {
    ServerUser user = ServerUser.of(dataDir);
    Path home = dataDir.folder("postgres");
    PostgresCluster cluster =
        new PostgresCluster(programs, user, home, dataDir.secretFile("postgres.password"));
    if (!user.prefix().isEmpty()) {
      LOG.info("Confab runs as root; the embedded servers run with {}", user.prefix());
    }
    try {
      user.ownAll(home);
      if (!Files.exists(cluster.data())) {
        cluster.create(dataDir.secret("postgres.password"));
      } else if (!Files.exists(cluster.passwordFile)) {
        throw new EmbeddedServerException(
            cluster.passwordFile + " is missing, which belongs to " + cluster.data() + ".");
      }
      return cluster;
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot make " + cluster.data() + ": " + e, e);
    }
  }

  /// Where the server listens that runs on a data folder, for its superuser.
  ///
  /// @throws EmbeddedServerException when none runs there
  static PostgresUrl running(Path dataDir) {
    Path file = dataDir.resolve("postgres/data/postmaster.pid");
    try {
      int port = Integer.parseInt(Files.readAllLines(file).get(PORT_LINE).strip());
      String password = Files.readString(dataDir.resolve("secrets/postgres.password")).strip();
      return EmbeddedPostgres.superuser(port, password);
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      throw new EmbeddedServerException("PostgreSQL does not run in " + dataDir + ": " + e, e);
    }
  }

  Path data() {
    return home.resolve("data");
  }

  String password() {
    try {
      return Files.readString(passwordFile).strip();
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot read " + passwordFile + ": " + e, e);
    }
  }

  List<String> command(String program, String... arguments) {
    return Stream.of(
            user.prefix().stream(),
            Stream.of(programs.resolve("bin").resolve(program).toString()),
            Stream.of(arguments))
        .flatMap(s -> s)
        .toList();
  }

  private void create(String password) throws IOException {
    Path draft = home.resolve("data.new");
    Path passwordCopy = home.resolve("password");
    Folders.delete(draft);
    DataDir.write(passwordCopy, password);
    user.own(passwordCopy);
    try {
      runInitdb(draft, passwordCopy);
      Files.move(draft, data(), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(passwordCopy);
    }
  }

  private void runInitdb(Path target, Path passwordCopy) throws IOException {
    LOG.info("Making a new PostgreSQL cluster in {}", data());
    Path output = Files.createTempFile(home, "initdb", ".log");
    List<String> command =
        command(
            "initdb",
            "--pgdata=" + target,
            "--username=" + EmbeddedPostgres.SUPERUSER,
            "--pwfile=" + passwordCopy,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-instructions");
    Process process =
        ServerProcess.builder(command)
            .directory(home.toFile())
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(INIT_LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new EmbeddedServerException(
            "initdb did not succeed:\n" + Files.readString(output).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedServerException("Interrupted while initdb ran.", e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  /// Waits up to 25 s until no process of an earlier server works in the folder, kills what is left
  /// then, and removes a stale `postmaster.pid`.
  void awaitEmpty() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + OLD_SERVER_LIMIT.toNanos();
    if (!processes().isEmpty()) {
      LOG.info("Waiting for the end of an earlier PostgreSQL in {}", data());
    }
    while (!processes().isEmpty()) {
      if (System.nanoTime() > deadline) {
        LOG.warn("An earlier PostgreSQL in {} does not end and is killed", data());
        processes().forEach(ProcessHandle::destroyForcibly);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    removeStalePid();
  }

  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(p -> folderOf(p).equals(Optional.of(data())))
        .toList();
  }

  /// The working folder of a process; empty when the process is gone or its folder cannot be read:
  /// then PostgreSQL checks for itself.
  private static Optional<Path> folderOf(ProcessHandle process) {
    try {
      Path link = Path.of("/proc", Long.toString(process.pid()), "cwd");
      return Optional.of(Files.readSymbolicLink(link));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void removeStalePid() throws IOException {
    Path file = data().resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return;
    }
    Optional<ProcessHandle> named =
        Files.readString(file, StandardCharsets.UTF_8)
            .lines()
            .findFirst()
            .filter(line -> line.matches("\\d{1,18}"))
            .flatMap(line -> ProcessHandle.of(Long.parseLong(line)));
    if (named.isEmpty() || named.flatMap(PostgresCluster::folderOf).isPresent()) {
      LOG.info("Removing {}, left behind by a server that was killed", file);
      Files.delete(file);
    }
  }
}
