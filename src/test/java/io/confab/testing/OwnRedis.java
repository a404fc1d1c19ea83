package io.confab.testing;

import io.confab.redis.RedisUrl;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// A Redis server of a test's own that it may kill, freeze and start again.
public final class OwnRedis implements AutoCloseable {
  private static final String BINARY = "redis-server-7.0.15-linux-";
  private static final String PASSWORD = "p@ss:word/+%";

  private final Path folder;
  private final int port;
  private @Nullable Process process;

  private OwnRedis(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  public static OwnRedis start() {
    try {
      Path folder = Files.createTempDirectory("confab-redis");
      unpack(folder.resolve("redis-server"));
      OwnRedis redis = new OwnRedis(folder, freePort());
      Runtime.getRuntime().addShutdownHook(new Thread(redis::kill));
      redis.startAgain();
      return redis;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void unpack(Path target) throws IOException {
    String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    try (InputStream in =
        OwnRedis.class.getClassLoader().getResourceAsStream(BINARY + architecture)) {
      if (in == null) {
        throw new IOException("no Redis on the class path");
      }
      Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  public RedisUrl url() {
    return RedisUrl.parse(address());
  }

  /// The URL as a configuration holds it.
  public String address() {
    return "redis://:p%40ss%3Aword%2F+%25@127.0.0.1:" + port;
  }

  /// Starts the server, empty, and waits until it answers.
  public void startAgain() {
    List<String> command =
        new ArrayList<>(List.of(folder.resolve("redis-server").toString(), "--port", "" + port));
    command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
    command.addAll(List.of("--requirepass", PASSWORD, "--dir", folder.toString()));
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(new File("/dev/null"))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(this::answers);
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
      socket.setSoTimeout(200);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().read() == '-'; // it asks for the password
    } catch (IOException e) {
      return false;
    }
  }

  /// As `kill -9`.
  public void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  /// Stops the process in its tracks: its sockets stay open and are silent.
  public void freeze() {
    signal("-STOP");
  }

  public void thaw() {
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
    try {
      Files.deleteIfExists(folder.resolve("redis-server"));
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
