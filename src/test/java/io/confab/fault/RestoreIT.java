package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A backup while people talk, and a node on what it brings back.
@ExtendWith(VertxExtension.class)
@Timeout(300)
class RestoreIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @Test
  void allThatWasAcknowledgedBeforeABackupComesBackAndClientsStartOver(
      Vertx vertx, @TempDir Path temporary) {
    String data = temporary.resolve("data").toString();
    String backup = temporary.resolve("backup.zip").toString();
    String restored = temporary.resolve("restored").toString();
    AcknowledgedSends ledger;
    Set<String> before;
    Person alice;
    long epoch;
    try (NodeProcess node = NodeProcess.startPatient(Path.of(data))) {
      alice = ApiClient.person(node.port(), "alice", "Alice");
      ledger = new AcknowledgedSends(alice.at(node.port()).channel("talk"));
      Speaker speaker = Speaker.start(vertx, alice, node::port, ledger, "alice");
      await().atMost(SOON).until(() -> ledger.size() >= 100);
      before = ledger.acknowledged().keySet();
      Jar.Result made = Jar.run("", List.of("backup", backup, "--data-dir", data));
      assertThat(made.exit()).as(made.err()).isZero();
      assertThat(made.out()).contains("is written and whole");
      speaker.stop();
      ChatClient client = ChatClient.live(vertx, node.port(), alice.token());
      epoch = client.welcome().getJsonArray("rooms").getJsonObject(0).getLong("epoch");
      client.cut();
    }
    assertThat(Jar.run("", List.of("restore", backup, "--data-dir", data)).err())
        .contains("is not empty");
    Jar.Result made = Jar.run("", List.of("restore", backup, "--data-dir", restored));
    assertThat(made.exit()).as(made.err()).isZero();

    try (NodeProcess node = NodeProcess.startPatient(Path.of(restored))) {
      List<JsonObject> found = ledger.history(alice.at(node.port()));
      assertThat(found).extracting(m -> m.getString("client_id")).containsAll(before);
      assertThat(found)
          .allSatisfy(
              m ->
                  assertThat(m.getString("body"))
                      .isEqualTo(AcknowledgedSends.body(m.getString("client_id"))));
      assertThat(found.getLast().getLong("seq")).isEqualTo(found.size());

      // Nothing is missing behind the last number of the copy; the epoch alone says to start over.
      ChatClient client = ChatClient.hello(vertx, node.port(), alice.token());
      long rev = found.getLast().getLong("rev");
      JsonObject resumed = client.resume(true, ChatClient.point(ledger.room(), epoch, rev));
      assertThat(resumed.getJsonArray("rooms").getJsonObject(0).getBoolean("recovered")).isFalse();
      client.cut();
    }
  }
}
