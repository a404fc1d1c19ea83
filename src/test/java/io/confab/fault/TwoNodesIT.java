package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.testing.OwnRedis;
import io.confab.testing.Ports;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Two nodes on one PostgreSQL and Redis lose a node, and lose Redis.
@ExtendWith(VertxExtension.class)
@Timeout(400)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoNodesIT {
  private static final int NODES = 2;

  private Path folder;
  private final Vertx vertx;
  private final NodeProcess[] nodes = new NodeProcess[NODES];
  private final List<Person> people = new ArrayList<>();
  private TestDatabase database;
  private OwnRedis redis;

  TwoNodesIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeAll
  void start(@TempDir Path empty) {
    folder = empty;
    database = TestDatabase.create();
    redis = OwnRedis.start();
    for (int i = 0; i < NODES; i++) {
      nodes[i] = startNode(i, Ports.freeRun(1)); // nobody takes it while the node is down
    }
    for (String handle : List.of("alice", "bob", "carol", "dave")) {
      people.add(ApiClient.person(port(0), handle, handle));
    }
  }

  private NodeProcess startNode(int i, int port) {
    return NodeProcess.start(
        folder.resolve("node" + i),
        port,
        NodeProcess.patient(
            Map.of(
                "CONFAB_POSTGRES_URL",
                TestDatabase.address(database.url()),
                "CONFAB_REDIS_URL",
                redis.address(),
                "CONFAB_LIMITS_RESUME_EVENTS_PER_ROOM",
                "100000",
                "CONFAB_LIMITS_RESUME_EVENTS_PER_SESSION",
                "1000000")));
  }

  @AfterAll
  void stop() {
    for (NodeProcess node : nodes) {
      node.close();
    }
    redis.close();
    database.close();
  }

  private int port(int node) {
    return nodes[node].port();
  }

  /// One node after the other, beginning with this one.
  private IntSupplier portsFrom(int first) {
    AtomicInteger tries = new AtomicInteger(first);
    return () -> port(tries.getAndIncrement() % NODES);
  }

  private AcknowledgedSends room(String name) {
    String room = people.getFirst().at(port(0)).channel(name);
    people.stream().skip(1).forEach(person -> person.at(port(0)).join(room));
    return new AcknowledgedSends(room);
  }

  private List<Speaker> speak(AcknowledgedSends ledger) {
    List<Speaker> speakers = new ArrayList<>();
    for (int i = 0; i < people.size(); i++) {
      Person person = people.get(i);
      speakers.add(Speaker.start(vertx, person, portsFrom(i), ledger, person.handle()));
    }
    return speakers;
  }

  private List<Listener> listen(AcknowledgedSends ledger) {
    List<Listener> listeners = new ArrayList<>();
    for (int i = 0; i < people.size(); i++) {
      listeners.add(Listener.start(vertx, people.get(i), portsFrom(i), ledger.room()));
    }
    return listeners;
  }

  private void awaitMore(AcknowledgedSends ledger) {
    int now = ledger.size();
    await().until(() -> ledger.size() >= now + 300);
  }

  private void assertTheSameForAll(AcknowledgedSends ledger, List<Listener> listeners) {
    List<JsonObject> history = ledger.history(people.getFirst().at(port(0)));
    ledger.assertKept(history);
    assertThat(history).hasSize(ledger.size());
    listeners.forEach(listener -> listener.assertHeard(history));
    listeners.forEach(Listener::close);
  }

  @Test
  void aKilledNodeLosesRepeatsAndReordersNothing() {
    AcknowledgedSends ledger = room("killed");
    List<Listener> listeners = listen(ledger);
    List<Speaker> speakers = speak(ledger);
    awaitMore(ledger);
    nodes[1].kill();
    listeners.forEach(Listener::rev); // the cut ones come back while sends go on
    awaitMore(ledger);
    nodes[1] = startNode(1, port(1));
    speakers.forEach(Speaker::stop);
    assertTheSameForAll(ledger, listeners);
  }

  @Test
  void everybodyHasEverythingAfterRedisCameBackEmpty() {
    AcknowledgedSends ledger = room("redis");
    List<Listener> listeners = listen(ledger);
    List<Speaker> speakers = speak(ledger);
    awaitMore(ledger);
    redis.kill();
    awaitMore(ledger);
    long last = ledger.history(people.getFirst().at(port(0))).getLast().getLong("rev");
    await() // the other node asks the database meanwhile
        .until(() -> listeners.stream().allMatch(listener -> listener.rev() >= last));
    redis.startAgain();
    awaitMore(ledger);
    speakers.forEach(Speaker::stop);
    assertThat(ledger.refusals()).isEmpty();
    assertThat(listeners).noneMatch(Listener::wasCut);
    assertTheSameForAll(ledger, listeners);
  }
}
