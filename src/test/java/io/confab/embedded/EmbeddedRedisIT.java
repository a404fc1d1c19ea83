package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.redis.RedisKeys;
import io.confab.testing.RespConnection;
import io.confab.testing.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real Redis of this test's own, killed and started again.
@Timeout(180)
class EmbeddedRedisIT {

  private final DataDir data;

  EmbeddedRedisIT(@TempDir Path folder) {
    this.data = DataDir.open(folder);
  }

  @AfterEach
  void unlock() {
    data.close();
  }

  private EmbeddedServer<String> start() {
    return EmbeddedRedis.begin(data, TestServers.programs(), new RedisKeys("mine:")).awaitStart();
  }

  /// Sends lines in Redis' inline form, then QUIT, and answers everything that came back.
  private static String talk(EmbeddedServer<String> redis, String lines) throws IOException {
    URI url = URI.create(redis.url());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write((lines + "QUIT\r\n").getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String login() {
    return "AUTH confab " + data.secret("redis.password") + "\r\n";
  }

  private String loader() {
    return "AUTH confab-scripts " + data.secret("redis-scripts.password") + "\r\n";
  }

  /// The answers to the lines in a row, but for those to AUTH and QUIT.
  private static List<String> answers(
      EmbeddedServer<String> redis, String login, List<String> lines) throws IOException {
    List<String> all = talk(redis, login + String.join("\r\n", lines) + "\r\n").lines().toList();
    return all.subList(1, all.size() - 1);
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
      assertThat(talk(redis, "AUTH " + data.secret("redis.password") + "\r\n"))
          .startsWith("-WRONGPASS");
      assertThat(talk(redis, login() + "PING\r\n")).isEqualTo("+OK\r\n+PONG\r\n+OK\r\n");
    }
  }

  @Test
  void thePasswordIsForTheOwnerAloneAndKept() throws IOException {
    String url;
    try (EmbeddedServer<String> redis = start()) {
      url = redis.url();
      assertThat(url)
          .contains("//confab:" + data.secret("redis.password") + "@")
          .endsWith(
              "?script_user=confab-scripts&script_password="
                  + data.secret("redis-scripts.password"));
      for (String name :
          List.of("secrets/redis.password", "secrets/redis-scripts.password", "redis/redis.conf")) {
        assertThat(
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(data.path().resolve(name))))
            .isEqualTo("rw-------");
      }
      assertThat(server(redis).info().commandLine().orElse(""))
          .doesNotContain(data.secret("redis.password"), data.secret("redis-scripts.password"));
    }
    try (EmbeddedServer<String> redis = start()) {
      assertThat(URI.create(redis.url()).getUserInfo()).isEqualTo(URI.create(url).getUserInfo());
    }
  }

  @Test
  void itWritesNothingToTheDiskAndBoundsItsMemoryAndWhatSubscribersMayOwe() throws IOException {
    try (EmbeddedServer<String> redis = start()) {
      assertThat(Files.readString(data.path().resolve("redis/redis.conf")))
          .contains("bind 127.0.0.1\n", "loglevel notice\n", "save \"\"\n", "appendonly no\n")
          .contains("client-output-buffer-limit pubsub 64mb 32mb 60\n")
          .contains("maxmemory 256mb\n", "maxmemory-policy volatile-ttl\n");
      assertThat(redis.state().running()).isTrue();
    }
  }

  /// Who gets hold of a node's connection can neither run Lua of their own, where CVE-2025-49844
  /// is to be met, nor leave Confab's keys.
  @Test
  void theUserOfTheNodesMayDoNothingBeyondTheirWork() throws IOException {
    try (EmbeddedServer<String> redis = start()) {
      List<String> refused =
          List.of(
              "EVAL \"return 1\" 0",
              "EVAL_RO \"return 1\" 0",
              "EVALSHA_RO e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0",
              "SCRIPT LOAD \"return 1\"",
              "SCRIPT FLUSH",
              "SCRIPT KILL",
              "FUNCTION LOAD x",
              "FCALL f 0",
              "CONFIG GET *",
              "CONFIG SET dir /tmp",
              "ACL LIST",
              "ACL SETUSER confab +@all",
              "CLIENT LIST",
              "CLIENT KILL TYPE normal",
              "REPLICAOF 127.0.0.1 1",
              "SAVE",
              "SHUTDOWN",
              "FLUSHALL",
              "FLUSHDB",
              "SWAPDB 0 1",
              "SELECT 1",
              "KEYS *",
              "SCAN 0",
              "MONITOR",
              "SLOWLOG GET",
              "PSUBSCRIBE *",
              "PUBSUB CHANNELS",
              "MIGRATE 127.0.0.1 1 mine:conn:{a} 0 10",
              "RESTORE mine:conn:{a} 0 x",
              "DUMP mine:conn:{a}",
              "RENAME mine:conn:{a} mine:conn:{b}",
              "SORT mine:conn:{a}",
              "SET conn:{a} v",
              "GET yours:conn:{a}",
              "PUBLISH room:a v",
              "SUBSCRIBE yours:room:a");
      List<String> answers = answers(redis, login(), refused);
      assertThat(answers).hasSameSizeAs(refused).allMatch(answer -> answer.startsWith("-NOPERM"));
      assertThat(
              answers(
                  redis,
                  login(),
                  List.of(
                      "SET mine:typing:r:a v",
                      "PUBLISH mine:room:r v",
                      "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0")))
          .satisfiesExactly(
              set -> assertThat(set).isEqualTo("+OK"),
              published -> assertThat(published).isEqualTo(":0"),
              unknown -> assertThat(unknown).startsWith("-NOSCRIPT"));
    }
  }

  @Test
  void whoLoadsScriptsMayDoNothingElse() throws IOException {
    try (EmbeddedServer<String> redis = start()) {
      List<String> refused =
          List.of(
              "EVAL \"return 1\" 0",
              "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0",
              "SCRIPT FLUSH",
              "GET mine:conn:{a}",
              "PUBLISH mine:room:r v",
              "CONFIG GET *",
              "ACL LIST");
      assertThat(answers(redis, loader(), refused))
          .hasSameSizeAs(refused)
          .allMatch(answer -> answer.startsWith("-NOPERM"));
      assertThat(talk(redis, loader() + "SCRIPT LOAD \"return 1\"\r\n")).contains("$40\r\n");
    }
  }

  /// What lasts longest stays, and so does what does not end: only the recent windows of rooms, the
  /// buckets of limits and such end soon.
  @Test
  void aFullServerLetsGoWhatEndsSoonestAndTakesWhatIsNew() throws IOException {
    try (EmbeddedServer<String> redis = start();
        RespConnection worker =
            new RespConnection(
                URI.create(redis.url()).getPort(), "confab", data.secret("redis.password"))) {
      worker.command("SET", "mine:conn:{lasting}", "lasting", "PX", "86400000");
      worker.command("SET", "mine:conn:{endless}", "endless");
      String large = "x".repeat(1 << 16);
      int more = (300 << 20) / large.length();
      for (int i = 0; i < more; i++) {
        String lasts = Integer.toString(600_000 + i);
        assertThat(worker.command("SET", "mine:typing:r:" + i, large, "PX", lasts)).isEqualTo("OK");
      }

      long kept = 0;
      for (int i = 0; i < more; i++) {
        kept += worker.command("GET", "mine:typing:r:" + i).length();
      }
      assertThat(kept).isBetween(128L << 20, 256L << 20);
      assertThat(worker.command("GET", "mine:typing:r:" + (more - 1))).isEqualTo(large);
      assertThat(worker.command("GET", "mine:conn:{lasting}")).isEqualTo("lasting");
      assertThat(worker.command("GET", "mine:conn:{endless}")).isEqualTo("endless");
    }
  }

  @Test
  void aKilledServerComesBackOnItsPort() {
    try (EmbeddedServer<String> redis = start()) {
      ProcessHandle first = server(redis);
      first.destroyForcibly();
      await().ignoreExceptions().until(() -> talk(redis, login() + "PING\r\n").contains("+PONG"));
      await().until(() -> redis.state().running());
      assertThat(server(redis).pid()).isNotEqualTo(first.pid());
    }
  }
}
