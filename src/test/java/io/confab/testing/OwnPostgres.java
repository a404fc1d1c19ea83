package io.confab.testing;

import io.confab.postgres.PostgresUrl;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.awaitility.Awaitility;
import org.tukaani.xz.XZInputStream;

/// A PostgreSQL server that belongs to one test, which may kill it and start it again. Durable:
/// `fsync` is on.
public final class OwnPostgres implements AutoCloseable {
  private static final String NOBODY = "65534";

  private final Path folder;
  private final List<String> settings;
  private final PostgresUrl url;
  private Process process;

  /// Unpacks, initialises and starts a server with further `name=value` settings.
  public OwnPostgres(String... settings) {
    this(temporary(), settings);
  }

  /// The same with all of its files in an empty folder of the caller's.
  public static OwnPostgres in(Path folder, String... settings) {
    return new OwnPostgres(folder, settings);
  }

  private OwnPostgres(Path folder, String... settings) {
    try (ServerSocket free = new ServerSocket(0)) {
      this.folder = folder;
      this.settings = List.of(settings);
      this.url = new PostgresUrl("127.0.0.1", free.getLocalPort(), "postgres", "postgres", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    unpack();
    run("initdb", "-D", data(), "-A", "trust", "-U", "postgres", "-E", "UTF-8", "--locale=C.UTF-8");
    process = launch();
    awaitReady();
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("confab-postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public PostgresUrl url() {
    return url;
  }

  public long pid() {
    return process.pid();
  }

  /// Starts it again after [#kill()].
  public void start() {
    process = launch();
    awaitReady();
  }

  /// As `kill -9` of the server; its backends end by themselves.
  public void kill() {
    process.destroyForcibly();
    Awaitility.await().until(() -> !process.isAlive());
  }

  /// What it wrote to its log, over all starts.
  public String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    Awaitility.await().until(() -> !process.isAlive());
    Awaitility.await().ignoreExceptions().until(this::delete);
  }

  private boolean delete() throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
    return true;
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  /// The server may refuse to start while backends of a killed one still live: it is tried again.
  private void awaitReady() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(40))
        .until(
            () -> {
              if (!process.isAlive()) {
                process = launch();
              }
              try (var connection = TestDatabase.connect(url)) {
                return connection.isValid(1);
              } catch (SQLException e) {
                return false;
              }
            });
  }

  private Process launch() {
    List<String> command = new ArrayList<>(List.of("postgres", "-D", data()));
    command.addAll(List.of("-p", String.valueOf(url.port()), "-c", "unix_socket_directories="));
    for (String setting : settings) {
      command.addAll(List.of("-c", setting));
    }
    return start(command);
  }

  private void run(String... command) {
    try {
      Process started = start(List.of(command));
      if (!started.waitFor(60, TimeUnit.SECONDS) || started.exitValue() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " failed: " + log());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Process start(List<String> command) {
    List<String> full = new ArrayList<>();
    if (isRoot()) {
      full.addAll(List.of("setpriv", "--reuid", NOBODY, "--clear-groups"));
    }
    full.add(folder.resolve("bin").resolve(command.getFirst()).toString());
    full.addAll(command.subList(1, command.size()));
    try {
      return new ProcessBuilder(full)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private void unpack() {
    String machine =
        System.getProperty("os.arch").toLowerCase(Locale.ROOT).contains("aarch64")
            ? "arm_64"
            : "x86_64";
    try (InputStream resource =
            OwnPostgres.class.getResourceAsStream("/postgres-linux-" + machine + ".txz");
        var archive =
            new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(resource)))) {
      for (TarArchiveEntry e = archive.getNextEntry(); e != null; e = archive.getNextEntry()) {
        Path target = folder.resolve(e.getName()).normalize();
        if (e.isDirectory()) {
          Files.createDirectories(target);
          continue;
        }
        Files.createDirectories(target.getParent());
        if (e.isSymbolicLink()) {
          Files.createSymbolicLink(target, Path.of(e.getLinkName()));
        } else {
          Files.copy(archive, target);
          target.toFile().setExecutable((e.getMode() & 0100) != 0, false);
        }
      }
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
