package io.confab.scenario.socket;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Which upgrades become sockets, and what the others are answered.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HandshakeIT {
  private Nodes nodes;
  private Person person;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    Config base = nodes.config();
    nodes.add(with(base, "http.origins", List.of("https://chat.example", "http://localhost:3000")));
    person = ApiClient.person(nodes.port(0), "visitor", "Visitor");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private int status(int node, String... headers) {
    try (RawSocket socket = RawSocket.connect(nodes.port(node), headers)) {
      return socket.status();
    }
  }

  @Test
  void aPageMustBeOnTheListAndWhoIsNoPageNeedNot() {
    assertThat(status(1)).isEqualTo(101);
    assertThat(status(1, "origin: https://chat.example")).isEqualTo(101);
    assertThat(status(1, "origin: http://localhost:3000")).isEqualTo(101);
    for (String foreign :
        List.of(
            "https://chat.example.evil.test",
            "http://chat.example",
            "https://chat.example:8443",
            "http://localhost",
            "http://127.0.0.1:" + nodes.port(1),
            "null",
            "")) {
      assertThat(status(1, "origin: " + foreign)).as(foreign).isEqualTo(403);
    }
    assertThat(status(1, "origin: https://chat.example", "origin: https://evil.test"))
        .isEqualTo(403);
  }

  @Test
  void anEmptyListRefusesEveryPage() {
    assertThat(status(0)).isEqualTo(101);
    assertThat(status(0, "origin: http://127.0.0.1:" + nodes.port(0))).isEqualTo(403);
  }

  @Test
  void theNodesOwnPagesAreThoseOfItsPortWhicheverThatIs() {
    int own = nodes.add(with(nodes.config(), "http.origins", List.of("own"))).port();
    for (String origin : List.of("http://127.0.0.1:" + own, "http://localhost:" + own)) {
      assertThat(statusAt(own, "origin: " + origin)).as(origin).isEqualTo(101);
      assertThat(status(0, "origin: " + origin)).as(origin).isEqualTo(403);
    }
    assertThat(statusAt(own, "origin: http://127.0.0.1:" + nodes.port(0))).isEqualTo(403);
    assertThat(statusAt(own, "origin: http://rebound.test:" + own)).isEqualTo(403);
  }

  private static int statusAt(int port, String... headers) {
    try (RawSocket socket = RawSocket.connect(port, headers)) {
      return socket.status();
    }
  }

  @Test
  void aBearerTokenMustBeGoodAndIsLookedAtLast() {
    String good = "authorization: Bearer " + person.token();
    assertThat(status(0, good)).isEqualTo(101);
    assertThat(status(0, good + "x")).isEqualTo(401);
    assertThat(status(0, "authorization: Basic YTpi")).isEqualTo(401);
    assertThat(status(1, good + "x", "origin: https://evil.test")).isEqualTo(403);
  }

  @Test
  void anotherPathIsNotFoundWhoeverAsks() {
    try (RawSocket other =
        RawSocket.at(
            nodes.port(1), "/v1/sockets", "origin: https://evil.test", "authorization: none")) {
      assertThat(other.status()).isEqualTo(404);
    }
    try (RawSocket query = RawSocket.at(nodes.port(1), "/v1/socket?v=1")) {
      assertThat(query.status()).isEqualTo(101);
    }
  }

  @Test
  void onlyTheVersionOfRfc6455IsSpoken() {
    for (String version : List.of("0", "7", "8", "12", "14", "13, 8")) {
      try (RawSocket socket = RawSocket.ofVersion(nodes.port(0), version)) {
        assertThat(socket.status()).as(version).isEqualTo(426);
      }
    }
  }

  @Test
  void whoTakesNoNewSocketsSaysSoWhateverIsAsked() throws SQLException {
    Node draining = nodes.add(nodes.config());
    String room = person.at(nodes.port(0)).channel("draining");
    CompletableFuture<Void> stopped;
    try (RawSocket busy = RawSocket.hello(draining.port(), person.token());
        Connection gate = TestDatabase.connect(nodes.database().url())) {
      gate.setAutoCommit(false);
      gate.createStatement().execute("SELECT 1 FROM room_position FOR UPDATE");
      busy.say(
          new JsonObject()
              .put("type", "message.send")
              .put("room_id", room)
              .put("client_id", "under-way")
              .put("body", "Hello."));
      busy.say(new JsonObject().put("type", "ping"));
      assertThat(busy.next().getString("type")).isEqualTo("pong"); // so the send is under way
      stopped = CompletableFuture.runAsync(draining::close);
      // an event loop that has nobody left may close a connection that has just been accepted
      await()
          .ignoreExceptionsInstanceOf(UncheckedIOException.class)
          .until(() -> statusOf(draining) == 503);
      gate.rollback();
      RawSocket.Ending ending = busy.ending();
      assertThat(ending.code()).isEqualTo(4000);
      assertThat(ending.frames().getFirst().getString("client_id")).isEqualTo("under-way");
      assertThat(ending.goodbye().getLong("reconnect_after_ms")).isBetween(0L, 5_000L);
    }
    ChatClient.get(stopped);
  }

  private static int statusOf(Node node) {
    try (RawSocket socket = RawSocket.connect(node.port(), "origin: https://evil.test")) {
      return socket.status();
    }
  }
}
