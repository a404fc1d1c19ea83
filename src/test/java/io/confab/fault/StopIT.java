package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Stops a node in good order, and runs commands beside it and without it. The tests share the
/// node; each leaves one that runs.
@ExtendWith(VertxExtension.class)
@Timeout(400)
class StopIT {
  private static final int SIGTERM = 143;
  private static final int UNDER_WAY = 200;

  /// So long a node that stops waits for the answers, and does not kill its servers.
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(8);

  private static final Duration ROUNDS = Duration.ofMinutes(5);

  private static Path folder;
  private static NodeProcess node;

  @BeforeAll
  static void start(@TempDir Path empty) {
    folder = empty;
    node = NodeProcess.startPatient(folder);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static Jar.Result command(String input, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data-dir", folder.toString()));
    return Jar.run(input, all);
  }

  /// Ends the node and answers its exit code.
  private static int terminate() {
    List<ProcessHandle> family = node.family();
    node.terminate();
    int exit = node.exit(Duration.ofMinutes(3)).orElseThrow();
    await().until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
    assertThat(folder.resolve("management.json")).doesNotExist();
    return exit;
  }

  private static long cleanStops() throws IOException {
    try (var lines = Files.lines(folder.resolve("logs/postgres.log"))) {
      return lines.filter(line -> line.contains("database system is shut down")).count();
    }
  }

  @Test
  void sendsUnderWayAreAcknowledgedBeforeTheGoodbye(Vertx vertx) {
    await().atMost(ROUNDS).until(() -> isStoppedInTime(vertx));
  }

  /// Whether it stopped so soon that everything was answered; what is told then is as it must be.
  private static boolean isStoppedInTime(Vertx vertx) throws IOException {
    Person alice = ApiClient.person(node.port(), "alice", "Alice");
    AcknowledgedSends ledger =
        new AcknowledgedSends(alice.at(node.port()).channel("stop " + UUID.randomUUID()));
    ChatClient a = ChatClient.live(vertx, node.port(), alice.token());
    AtomicInteger sent = new AtomicInteger();
    Runnable send =
        () -> {
          String id = "a" + sent.getAndIncrement();
          a.send(ledger.room(), id, AcknowledgedSends.body(id));
        };
    a.listen(
        frame -> {
          if (frame.getString("type").equals("message.ack")) {
            send.run(); // so there are always some under way
          }
        });
    IntStream.range(0, UNDER_WAY).forEach(_ -> send.run());
    await().until(() -> a.frames("message.ack").size() > 300);
    long stops = cleanStops();

    long asked = System.nanoTime();
    assertThat(terminate()).isIn(0, SIGTERM);
    Duration taken = Duration.ofNanos(System.nanoTime() - asked);
    long stopped = cleanStops();
    node = NodeProcess.startPatient(folder);
    if (taken.compareTo(ANSWERED_WITHIN) >= 0) {
      return false;
    }
    assertThat(a.closeCode()).isEqualTo((short) 4000);
    JsonObject goodbye = a.frames().getLast();
    assertThat(goodbye.getString("type")).isEqualTo("goodbye");
    assertThat(goodbye.getInteger("code")).isEqualTo(4000);
    assertThat(goodbye.getBoolean("resume")).isTrue();
    assertThat(goodbye.getLong("reconnect_after_ms")).isBetween(0L, 5_000L);
    assertThat(stopped).isEqualTo(stops + 1);
    a.frames("message.ack").forEach(ledger::answered);

    List<JsonObject> history = ledger.history(alice.at(node.port()));
    ledger.assertKept(history);
    assertThat(history).as("everything stored was acknowledged").hasSize(ledger.size());
    return true;
  }

  @Test
  void aSecondServeOnTheFolderSaysInOneLineThatItIsInUse() {
    Jar.Result second = command("", "serve", "--port", "0", "--management-port", "0");
    assertThat(second.exit()).isEqualTo(1);
    assertThat(second.err().strip().lines())
        .filteredOn(line -> !line.contains(" INFO "))
        .singleElement()
        .asString()
        .contains(folder.toString(), "in use");
    assertThat(second.out()).isEmpty();
  }

  @Test
  void accountsAreMadeAndChangedBesideANodeAndWithoutOne() {
    accountCommands("erin");
    assertThat(signIn("erin", "new correct horse")).isEqualTo(200);
    terminate();
    accountCommands("frank");
    assertThat(folder.resolve("management.json")).doesNotExist();
    await().until(() -> NodeProcess.workingIn(folder).isEmpty());
    node = NodeProcess.startPatient(folder);
    assertThat(signIn("frank", "new correct horse")).isEqualTo(200);
    assertThat(signIn("frank", "correct horse")).isEqualTo(401);
  }

  private static void accountCommands(String handle) {
    assertThat(command("", "migrate")).returns(0, Jar.Result::exit);
    assertThat(command("correct horse\n", "account", "create", handle, "--password-stdin"))
        .returns(0, Jar.Result::exit);
    assertThat(command("correct horse\n", "account", "create", handle, "--password-stdin"))
        .as("the handle is taken")
        .returns(1, Jar.Result::exit);
    assertThat(command("", "account", "admin", handle)).returns(0, Jar.Result::exit);
    assertThat(command("new correct horse\n", "account", "password", handle, "--password-stdin"))
        .returns(0, Jar.Result::exit);
  }

  private static int signIn(String handle, String password) {
    return ApiClient.stranger(node.port())
        .call(
            "POST",
            "/v1/tokens",
            new JsonObject()
                .put("handle", handle)
                .put("password", password)
                .put("device", new JsonObject().put("name", "test").put("platform", "test")))
        .status();
  }
}
