package io.confab.testing;

import io.confab.redis.AclRules;
import io.confab.redis.RedisKeys;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// A Redis server, or sentinel, on loopback that a test may kill, freeze and start again: the
/// embedded one, or the program that the property `confab.test.redis` names. The password of all
/// its users is [#PASSWORD]: the default one, who may everything, a worker with the rights of a
/// node, on any key, and a loader of scripts. It keeps no data on disk.
final class RedisProcess implements AutoCloseable {
  static final String PASSWORD = "p@ss:word/+%";
  static final String ENCODED_PASSWORD = "p%40ss%3Aword%2F+%25";
  static final String HOST = "127.0.0.1";
  static final String WORKER = "worker";
  static final String LOADER = "loader";

  private static final String BINARY = "redis-server-7.0.15-linux-";

  private final Path folder;
  private final int port;
  private final List<String> options;
  private @Nullable Process process;

  private RedisProcess(Path folder, int port, List<String> options) {
    this.folder = folder;
    this.port = port;
    this.options = options;
  }

  /// Starts a server and waits until it answers.
  ///
  /// @param options of the command line beyond the usual ones
  static RedisProcess server(int port, String... options) {
    List<String> all = new ArrayList<>(List.of("--port", "" + port, "--bind", HOST));
    all.addAll(List.of("--save", "", "--appendonly", "no", "--repl-diskless-sync-delay", "0"));
    all.addAll(List.of("--requirepass", PASSWORD, "--masterauth", PASSWORD));
    all.addAll(user(WORKER, AclRules.working(new RedisKeys("")) + " ~* &*"));
    all.addAll(user(LOADER, AclRules.loading()));
    all.addAll(List.of(options));
    return started(new RedisProcess(newFolder(), port, all));
  }

  private static List<String> user(String name, String rules) {
    List<String> words = new ArrayList<>(List.of("--user", name, "on", ">" + PASSWORD));
    words.addAll(List.of(rules.split(" ")));
    return words;
  }

  /// Starts a sentinel and waits until it answers.
  static RedisProcess sentinel(int port, String configuration) {
    Path folder = newFolder();
    Path file = folder.resolve("sentinel.conf");
    try {
      Files.writeString(
          file,
          "port %d\nbind %s\nrequirepass \"%s\"\n%s"
              .formatted(port, HOST, PASSWORD, configuration));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return started(new RedisProcess(folder, port, List.of(file.toString(), "--sentinel")));
  }

  private static RedisProcess started(RedisProcess redis) {
    Runtime.getRuntime().addShutdownHook(new Thread(redis::close));
    redis.startAgain();
    return redis;
  }

  private static Path newFolder() {
    try {
      Path folder = TempFolders.create("confab-redis");
      Path target = folder.resolve("redis-server");
      try (InputStream in = program()) {
        Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream program() throws IOException {
    String given = System.getProperty("confab.test.redis", "");
    if (!given.isEmpty()) {
      return Files.newInputStream(Path.of(given));
    }
    String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    InputStream embedded =
        RedisProcess.class.getClassLoader().getResourceAsStream(BINARY + architecture);
    if (embedded == null) {
      throw new IOException("no Redis on the class path");
    }
    return embedded;
  }

  int port() {
    return port;
  }

  long pid() {
    if (process == null) {
      throw new IllegalStateException("it does not run");
    }
    return process.pid();
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /// Starts the server, empty, and waits until it answers; it is started anew when it ends before.
  void startAgain() {
    launch();
    Awaitility.await()
        .until(
            () -> {
              if (!isAlive()) {
                launch();
              }
              return answers() && isAlive();
            });
  }

  private void launch() {
    List<String> command = new ArrayList<>(List.of(folder.resolve("redis-server").toString()));
    command.addAll(options);
    command.addAll(List.of("--dir", folder.toString()));
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(new File("/dev/null"))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean answers() {
    try {
      return command("PING").startsWith("PONG");
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /// The answer to a command, in one text; an error begins with `-`.
  String command(String... words) {
    try (RespConnection connection = connect()) {
      return connection.command(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RespConnection connect() throws IOException {
    return new RespConnection(port, PASSWORD);
  }

  /// As `kill -9`.
  void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  /// Stops the process in its tracks: its sockets stay open and are silent.
  void freeze() {
    signal("-STOP");
  }

  void thaw() {
    signal("-CONT");
  }

  private void signal(String name) {
    if (process == null) {
      throw new IllegalStateException("not started");
    }
    try {
      new ProcessBuilder("kill", name, String.valueOf(process.pid())).start().onExit().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
    if (Files.exists(folder)) {
      TempFolders.delete(folder);
    }
  }
}
