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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Kills a node and its servers under load and starts again on the same folder.
@ExtendWith(VertxExtension.class)
@Timeout(400)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillEverythingIT {

  private Path folder;
  private final Vertx vertx;
  private volatile NodeProcess node;
  private Person alice;
  private Person bob;

  KillEverythingIT(Vertx vertx) {
    this.vertx = vertx;
  }

  enum Victims {
    JVM_AND_SERVERS_AT_ONCE,
    THE_JVM_ALONE,
    ONE_AFTER_THE_OTHER;

    void die(NodeProcess node) {
      List<ProcessHandle> servers = List.of(node.postgres(), node.redis());
      switch (this) {
        case JVM_AND_SERVERS_AT_ONCE -> {
          servers.forEach(ProcessHandle::destroyForcibly);
          node.kill();
        }
        case THE_JVM_ALONE -> node.kill();
        case ONE_AFTER_THE_OTHER -> {
          servers.forEach(NodeProcess::kill);
          node.kill();
        }
      }
    }
  }

  @BeforeAll
  void start(@TempDir Path empty) {
    folder = empty;
    node = NodeProcess.startPatient(folder);
    alice = ApiClient.person(node.port(), "alice", "Alice");
    bob = ApiClient.person(node.port(), "bob", "Bob");
  }

  @AfterAll
  void stop() {
    node.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyAcknowledgedMessageIsThereAfterAStartOnTheSameFolder(Victims victims) {
    String room = alice.at(node.port()).channel(victims.name());
    bob.at(node.port()).join(room);
    AcknowledgedSends ledger = new AcknowledgedSends(room);
    List<Speaker> speakers = new ArrayList<>();
    for (Person person : List.of(alice, bob)) {
      for (int i = 0; i < 2; i++) {
        String name = person.handle() + i;
        speakers.add(Speaker.start(vertx, person, () -> node.port(), ledger, name));
      }
    }
    await().until(() -> ledger.size() >= 200);

    List<ProcessHandle> family = node.family();
    victims.die(node);
    await().until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
    await().until(() -> NodeProcess.workingIn(folder).isEmpty());
    Map<String, Long> before = ledger.acknowledged();

    node = NodeProcess.startPatient(folder);
    List<JsonObject> found = ledger.history(alice.at(node.port()));
    assertThat(found)
        .extracting(m -> m.getString("client_id"))
        .containsAll(before.keySet())
        .doesNotHaveDuplicates();
    await().until(() -> ledger.size() >= before.size() + 100);
    speakers.forEach(Speaker::stop);
    List<JsonObject> history = ledger.history(bob.at(node.port()));
    ledger.assertKept(history);
    assertThat(history).hasSize(ledger.size());
    sayAgain(before, ledger);
    assertThat(ledger.history(bob.at(node.port()))).isEqualTo(history);
  }

  private void sayAgain(Map<String, Long> before, AcknowledgedSends ledger) {
    ChatClient a = ChatClient.live(vertx, node.port(), alice.token());
    before.keySet().stream()
        .filter(id -> id.startsWith("alice"))
        .limit(20)
        .map(id -> ChatClient.get(a.send(ledger.room(), id, AcknowledgedSends.body(id))))
        .forEach(
            again -> {
              assertThat(again.getBoolean("duplicate")).isTrue();
              assertThat(ledger.answered(again)).isTrue();
            });
    a.cut();
  }
}
