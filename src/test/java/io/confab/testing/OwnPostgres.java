package io.confab.testing;

import io.confab.postgres.PostgresUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/// A PostgreSQL server that belongs to one test, which may kill it and start it again. Durable:
/// `fsync` is on.
public final class OwnPostgres implements AutoCloseable {
  private final Path folder;
  private final List<String> settings;
  private PostgresUrl url;
  private Process process;

  /// Initialises and starts a server with further `name=value` settings.
  public OwnPostgres(String... settings) {
    this(TempFolders.create("confab-postgres"), settings);
  }

  /// The same with all that it writes in an empty folder of the caller's.
  public static OwnPostgres in(Path folder, String... settings) {
    return new OwnPostgres(folder, settings);
  }

  private OwnPostgres(Path folder, String... settings) {
    this.folder = folder;
    this.settings = List.of(settings);
    this.url = at(Ports.freeRun(1));
    PostgresProgram.initialise(folder);
    process = launch();
    awaitReady();
  }

  /// A standby on a copy of the data of `primary`, which is stopped for the moment.
  private OwnPostgres(OwnPostgres primary) {
    try {
      this.folder = TempFolders.create("confab-standby");
      this.settings = primary.settings;
      this.url = at(Ports.freeRun(1));
      primary.stop();
      PostgresProgram.copy(primary.folder, folder);
      primary.start();
      Files.createFile(folder.resolve("data/standby.signal"));
      Files.writeString(
          folder.resolve("data/postgresql.auto.conf"),
          "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres'\n"
              .formatted(primary.url.port()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    process = launch();
    awaitReady();
  }

  private static PostgresUrl at(int port) {
    return new PostgresUrl("127.0.0.1", port, "postgres", "postgres", "");
  }

  /// Starts a standby that follows this server, which is restarted for it.
  public OwnPostgres standby() {
    return new OwnPostgres(this);
  }

  /// Starts it again on the port of another server, which is down.
  public void startInPlaceOf(OwnPostgres other) {
    url = other.url;
    start();
  }

  /// Makes a standby a primary, on a timeline of its own.
  public void promote() {
    PostgresProgram.of("pg_ctl", "promote", "-w", "-D", data()).run(folder);
  }

  /// Shuts it down as an operator would.
  public void stop() {
    signal("-INT");
  }

  private void signal(String name) {
    PostgresProgram.execute("kill", name, String.valueOf(process.pid()));
    Awaitility.await().until(() -> !process.isAlive());
  }

  /// A cold copy of the data, for [#restore]; the server is restarted for it.
  public Path backup() {
    stop();
    Path copy = folder.resolve("backup");
    PostgresProgram.copy(Path.of(data()), copy);
    start();
    return copy;
  }

  /// Takes a copy back in place of the data, under the server's feet as far as its clients know.
  public void restore(Path copy) {
    stop();
    PostgresProgram.execute("rm", "-rf", data());
    PostgresProgram.copy(copy, Path.of(data()));
    start();
  }

  public PostgresUrl url() {
    return url;
  }

  public long pid() {
    return process.pid();
  }

  /// Starts it again after [#kill()] or [#stop()].
  public void start() {
    process = launch();
    awaitReady();
  }

  /// As `kill -9` of the server; its backends end by themselves.
  public void kill() {
    process.destroyForcibly();
    Awaitility.await().until(() -> !process.isAlive());
  }

  /// Its log, over all starts.
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
    Awaitility.await().ignoreExceptions().untilAsserted(() -> TempFolders.delete(folder));
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  /// The server may refuse to start while backends of a killed one still live: it is tried again.
  private void awaitReady() {
    Awaitility.await()
        .until(
            () -> {
              if (!process.isAlive()) {
                process = launch();
              }
              try (var connection = TestDatabase.connect(url)) {
                return isOwn(connection);
              } catch (SQLException e) {
                return false;
              }
            });
  }

  /// Another server may have the port: then this one ends, and is tried again.
  private boolean isOwn(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SHOW data_directory")) {
      return rows.next()
          && Path.of(rows.getString(1)).equals(Path.of(data()).toAbsolutePath().normalize());
    }
  }

  private Process launch() {
    List<String> arguments = new ArrayList<>(List.of("-D", data()));
    arguments.addAll(List.of("-p", String.valueOf(url.port()), "-c", "unix_socket_directories="));
    for (String setting : settings) {
      arguments.addAll(List.of("-c", setting));
    }
    return new PostgresProgram("postgres", arguments).start(folder);
  }
}
