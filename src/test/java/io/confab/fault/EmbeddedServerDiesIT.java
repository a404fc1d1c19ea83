package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Kills an embedded server under a running node and load.
@ExtendWith(VertxExtension.class)
@Timeout(400)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddedServerDiesIT {
  private Path folder;
  private final Vertx vertx;
  private NodeProcess node;
  private Person alice;
  private Person bob;

  EmbeddedServerDiesIT(Vertx vertx) {
    this.vertx = vertx;
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

  private AcknowledgedSends room(String name) {
    String room = alice.at(node.port()).channel(name);
    bob.at(node.port()).join(room);
    return new AcknowledgedSends(room);
  }

  private List<Speaker> speak(AcknowledgedSends ledger) {
    return IntStream.range(0, 4)
        .mapToObj(i -> Speaker.start(vertx, alice, node::port, ledger, "s" + i))
        .toList();
  }

  private void awaitMore(AcknowledgedSends ledger) {
    int now = ledger.size();
    await().until(() -> ledger.size() >= now + 200);
  }

  private void awaitReady() {
    await().until(() -> node.failing().isEmpty());
  }

  private void assertComplete(AcknowledgedSends ledger, Listener listener) {
    List<JsonObject> history = ledger.history(bob.at(node.port()));
    ledger.assertKept(history);
    assertThat(history).hasSize(ledger.size());
    listener.assertHeard(history);
    assertThat(listener.wasCut()).isFalse();
    listener.close();
  }

  @Test
  void withoutPostgresSendsAreUnavailableAndResumeOnceItIsBack() {
    AcknowledgedSends ledger = room("postgres");
    Listener listener = Listener.start(vertx, bob, node::port, ledger.room());
    List<Speaker> speakers = speak(ledger);
    awaitMore(ledger);
    do {
      ProcessHandle killed = node.postgres();
      NodeProcess.kill(killed);
      await().until(() -> !node.postgres().equals(killed));
      awaitReady();
      awaitMore(ledger);
    } while (ledger.refusals().isEmpty()); // a send must have been under way
    speakers.forEach(Speaker::stop);
    assertThat(ledger.refusals()).containsExactly("unavailable");
    assertComplete(ledger, listener);
  }

  @Test
  void withoutRedisSendsAreAcknowledgedAndHeardOnTheNode() {
    AcknowledgedSends ledger = room("redis");
    Listener listener = Listener.start(vertx, bob, node::port, ledger.room());
    List<Speaker> speakers = speak(ledger);
    awaitMore(ledger);
    ProcessHandle killed = node.redis();
    NodeProcess.kill(killed);
    await().until(() -> !killed.isAlive());
    awaitReady();
    awaitMore(ledger);
    speakers.forEach(Speaker::stop);
    assertThat(ledger.refusals()).isEmpty();
    assertComplete(ledger, listener);
  }

  @Test
  void aSilentRedisHoldsUpNoSend() {
    AcknowledgedSends ledger = room("silence");
    Listener listener = Listener.start(vertx, bob, node::port, ledger.room());
    ProcessHandle redis = node.redis();
    NodeProcess.signal(redis, "STOP");
    try {
      await().until(() -> node.failing().contains("redis"));
      List<Speaker> speakers = speak(ledger);
      awaitMore(ledger);
      speakers.forEach(Speaker::stop);
      assertThat(ledger.refusals()).isEmpty();
      assertComplete(ledger, listener);
    } finally {
      NodeProcess.signal(redis, "CONT");
    }
    awaitReady();
  }
}
