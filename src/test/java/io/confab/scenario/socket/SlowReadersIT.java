package io.confab.scenario.socket;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Readers that stop reading while more is said than the kernel holds for them.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowReadersIT {
  private static final int MESSAGES = 900;
  private static final int AT_ONCE = 100;
  private static final int RECEIVE_BUFFER = 65_536;
  private static final String BODY = "x".repeat(10_000);

  /// The node that waits long for a reader, and the one that does not.
  private static final int PATIENT = 0;

  private static final int HASTY = 1;

  private Nodes nodes;
  private Person alice;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    nodes.add(waiting(Duration.ofMinutes(10)));
    nodes.add(waiting(Duration.ofSeconds(1)));
    alice = ApiClient.person(nodes.port(PATIENT), "alice", "Alice");
  }

  private Config waiting(Duration stall) {
    Config config = with(nodes.config(), "sockets.ping_interval", Duration.ofMinutes(10));
    config = with(config, "sockets.beat_timeout", Duration.ofMinutes(30));
    return with(config, "sockets.stall_timeout", stall);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private RawSocket reader(int node) {
    String token = alice.onAnotherDevice(nodes.port(PATIENT)).token();
    RawSocket socket = RawSocket.withBuffer(nodes.port(node), RECEIVE_BUFFER, token);
    socket.say(
        new JsonObject().put("type", "resume").put("rooms", new JsonArray()).put("last", true));
    assertThat(socket.next().getString("type")).isEqualTo("resumed");
    return socket;
  }

  private static List<Long> revs(int first, int last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  @Test
  void whoStopsReadingHurtsNobodyAndFindsEverythingWhenItReadsAgain() {
    String room = alice.at(nodes.port(PATIENT)).channel("busy");
    List<ChatClient> others =
        Stream.generate(() -> alice.onAnotherDevice(nodes.port(PATIENT)).token())
            .limit(3)
            .map(token -> ChatClient.live(nodes.vertx(), nodes.port(PATIENT), token))
            .toList();
    List<RawSocket> stopped = Stream.generate(() -> reader(PATIENT)).limit(8).toList();
    List<RawSocket> never = Stream.generate(() -> reader(HASTY)).limit(4).toList();
    say(room);
    for (ChatClient other : others) {
      other.awaitRev(room, MESSAGES + 1);
      assertThat(other.events(room))
          .extracting(event -> event.getLong("rev"))
          .isEqualTo(revs(2, MESSAGES + 1));
    }
    await()
        .until(
            () -> nodes.metrics(HASTY).contains("confab_sockets_closed_total{code=\"4001\"} 4.0"));
    assertThat(nodes.metrics(PATIENT)).contains("confab_sockets_closed_total{code=\"4001\"} 0.0");
    for (RawSocket reader : stopped) {
      List<Long> read = new ArrayList<>();
      while (read.size() < MESSAGES) {
        JsonObject frame = reader.next();
        if (frame.containsKey("rev")) {
          read.add(frame.getLong("rev"));
        }
      }
      assertThat(read).isEqualTo(revs(2, MESSAGES + 1));
    }
    others.getFirst().send(room, "last", "live again");
    for (RawSocket reader : stopped) {
      assertThat(reader.next().getLong("rev")).isEqualTo(MESSAGES + 2);
      reader.close();
    }
    never.forEach(RawSocket::close);
  }

  private void say(String room) {
    ChatClient speaker = ChatClient.hello(nodes.vertx(), nodes.port(PATIENT), alice.token());
    for (int said = 0; said < MESSAGES; said += AT_ONCE) {
      List<CompletableFuture<JsonObject>> acks = new ArrayList<>();
      for (int i = said; i < said + AT_ONCE; i++) {
        acks.add(speaker.send(room, "m" + i, BODY));
      }
      acks.forEach(ChatClient::get);
    }
  }
}
