package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.testing.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real Redis of this test's own, killed and started again.
@Timeout(180)
class EmbeddedRedisIT {
  private static final Duration BACK_AGAIN = Duration.ofMinutes(1);

  private final DataDir data;

  EmbeddedRedisIT(@TempDir Path folder) {
    this.data = DataDir.open(folder);
  }

  @AfterEach
  void unlock() {
    data.close();
  }

  private EmbeddedServer<String> start() {
    return EmbeddedRedis.start(data, TestServers.programs());
  }

  /// Sends lines in Redis' inline form, then QUIT, and answers everything that came back.
  private static String talk(EmbeddedServer<String> redis, String lines) throws IOException {
    URI url = URI.create(redis.url());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write((lines + "QUIT\r\n").getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String login() {
    return "AUTH " + data.secret("redis.password") + "\r\n";
  }

  private static ProcessHandle server(EmbeddedServer<String> redis) {
    return redis
        .supervisor()
        .process()
        .orElseThrow()
        .processes()
        .filter(p -> p.info().command().orElse("").endsWith("/redis-server"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nobodyGetsInWithoutThePassword() throws IOException {
    try (EmbeddedServer<String> redis = start()) {
      assertThat(talk(redis, "PING\r\n")).startsWith("-NOAUTH");
      assertThat(talk(redis, login() + "PING\r\n")).isEqualTo("+OK\r\n+PONG\r\n+OK\r\n");
    }
  }

  @Test
  void thePasswordIsForTheOwnerAloneAndKept() throws IOException {
    String url;
    try (EmbeddedServer<String> redis = start()) {
      url = redis.url();
      assertThat(URI.create(url).getUserInfo()).isEqualTo(":" + data.secret("redis.password"));
      for (String name : new String[] {"secrets/redis.password", "redis/redis.conf"}) {
        assertThat(
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(data.path().resolve(name))))
            .isEqualTo("rw-------");
      }
      assertThat(server(redis).info().commandLine().orElse(""))
          .doesNotContain(data.secret("redis.password"));
    }
    try (EmbeddedServer<String> redis = start()) {
      assertThat(URI.create(redis.url()).getUserInfo()).isEqualTo(URI.create(url).getUserInfo());
    }
  }

  @Test
  void itWritesNothingToTheDiskAndBoundsItsMemoryAndWhatSubscribersMayOwe() throws IOException {
    try (EmbeddedServer<String> redis = start()) {
      String settings =
          talk(
              redis,
              login()
                  + "CONFIG GET save\r\nCONFIG GET appendonly\r\n"
                  + "CONFIG GET client-output-buffer-limit\r\nCONFIG GET bind\r\n"
                  + "CONFIG GET maxmemory\r\nCONFIG GET maxmemory-policy\r\n");
      assertThat(settings)
          .contains("save\r\n$0\r\n\r\n", "appendonly\r\n$2\r\nno", "127.0.0.1")
          .contains("pubsub 67108864 33554432 60")
          .contains("268435456", "volatile-ttl");
    }
  }

  @Test
  void aKilledServerComesBackOnItsPort() {
    try (EmbeddedServer<String> redis = start()) {
      ProcessHandle first = server(redis);
      first.destroyForcibly();
      await()
          .atMost(BACK_AGAIN)
          .ignoreExceptions()
          .until(() -> talk(redis, login() + "PING\r\n").contains("+PONG"));
      await().atMost(BACK_AGAIN).until(() -> redis.state().running());
      assertThat(server(redis).pid()).isNotEqualTo(first.pid());
    }
  }
}
