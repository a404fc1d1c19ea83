package io.confab.scenario.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// How many requests of one session are under way at once.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestsIT {
  private static final int MOST = 256;
  private static final JsonObject PING = new JsonObject().put("type", "ping");

  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// Frames until this many answers are there, in their order.
  private static List<String> answers(RawSocket socket, int count) {
    List<String> types = new ArrayList<>();
    while (types.size() < count) {
      JsonObject frame = socket.next();
      if (!frame.getString("type").equals("message.receive")) {
        types.add(frame.getString("type"));
      }
    }
    return types;
  }

  private static void sendMany(RawSocket socket, String room, int count) {
    for (int i = 0; i < count; i++) {
      socket.say(
          new JsonObject()
              .put("type", "message.send")
              .put("room_id", room)
              .put("client_id", "m" + i)
              .put("body", "Hello."));
    }
    socket.say(PING);
  }

  /// A send that waits for the room's lock is under way, whatever becomes of it: it is answered
  /// by an ack, or by an error if that takes too long.
  @Test
  void oneMoreWaitsUnreadUntilAnotherIsAnswered() throws SQLException {
    Person person = ApiClient.person(nodes.port(0), "busy", "Busy");
    String room = person.at(nodes.port(0)).channel("busy");
    Person other = ApiClient.person(nodes.port(0), "other", "Other");
    try (RawSocket socket = RawSocket.hello(nodes.port(0), person.token());
        RawSocket bystander = RawSocket.hello(nodes.port(0), other.token());
        Connection gate = TestDatabase.connect(nodes.database().url())) {
      gate.setAutoCommit(false);
      gate.createStatement().execute("SELECT 1 FROM room_position FOR UPDATE");
      sendMany(socket, room, MOST);
      for (int i = 0; i < 20; i++) {
        bystander.say(PING);
        assertThat(bystander.next().getString("type")).isEqualTo("pong");
      }
      gate.rollback();
      List<String> answers = answers(socket, MOST + 1);
      assertThat(answers).filteredOn("pong"::equals).hasSize(1);
      assertThat(answers).first().isNotEqualTo("pong");
    }
  }

  @Test
  void oneLessOvertakes() throws SQLException {
    Person person = ApiClient.person(nodes.port(0), "less", "Less");
    String room = person.at(nodes.port(0)).channel("less");
    try (RawSocket socket = RawSocket.hello(nodes.port(0), person.token());
        Connection gate = TestDatabase.connect(nodes.database().url())) {
      gate.setAutoCommit(false);
      gate.createStatement().execute("SELECT 1 FROM room_position FOR UPDATE");
      sendMany(socket, room, MOST - 1);
      List<String> first = new ArrayList<>();
      while (!first.contains("pong")) {
        first.add(socket.next().getString("type"));
      }
      gate.rollback();
      assertThat(answers(socket, MOST - first.size())).doesNotContain("pong");
    }
  }
}
