package io.confab.scenario.socket;

import static io.confab.testing.TestConfig.onServers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
import io.confab.redis.RedisKeys;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.confab.testing.proxy.Statements;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Many sessions of one room come back at once: the cost for the database does not depend on how
/// many they are.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedReplayIT {
  private static final int SESSIONS = 40;

  /// Event loops of the node, each of which reads for its sessions.
  private static final int LOOPS = 2;

  /// In which a window is written, where it is.
  private static final Duration SOON = Duration.ofSeconds(15);

  /// What only a read of a page of events says.
  private static final String READ_OF_EVENTS = "UNION ALL";

  private final OwnRedis ownRedis = OwnRedis.start();
  private final Statements statements = new Statements();
  private Nodes nodes;
  private TcpProxy postgres;
  private Redis redis;
  private RedisKeys keys;
  private Person alice;
  private int rooms;
  private ChatClient speaker;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    Config config = onServers(nodes.config(), nodes.postgresUrl(), ownRedis.address());
    keys = new RedisKeys(config.redis().keyPrefix());
    nodes.add(config);
    postgres = TcpProxy.before(nodes.postgresUrl(), statements);
    nodes.add(onServers(nodes.config(), postgres.url(), ownRedis.address()));
    redis =
        Redis.createClient(
            nodes.vertx(),
            new RedisOptions()
                .setConnectionString("redis://127.0.0.1:" + ownRedis.port())
                .setPassword(ownRedis.password()));
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    speaker = ChatClient.hello(nodes.vertx(), nodes.port(0), alice.token());
  }

  @AfterAll
  void stop() {
    redis.close();
    nodes.close();
    postgres.close();
    ownRedis.close();
  }

  /// What is said while the machine stands still may never come into the window: then another room
  /// is filled.
  private String room(int messages) {
    return await().until(() -> filled(messages), room -> isInWindow(room, messages + 1));
  }

  private String filled(int messages) {
    String room = alice.at(nodes.port(0)).channel("shared " + rooms++);
    List<CompletableFuture<JsonObject>> acks = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      acks.add(speaker.send(room, room + i, "message " + i));
    }
    acks.forEach(ChatClient::get);
    return room;
  }

  private Response send(Command command, String room, String... arguments) {
    Request request = Request.cmd(command).arg(keys.recent(RoomId.parse(room), new Epoch(1)));
    List.of(arguments).forEach(request::arg);
    return redis.send(request).toCompletionStage().toCompletableFuture().join();
  }

  /// Whether it has all the events that it keeps. They are written after the acknowledgement.
  private boolean isInWindow(String room, long last) {
    try {
      await()
          .atMost(SOON)
          .until(
              () ->
                  LongStream.rangeClosed(Math.max(2, last - 199), last)
                      .allMatch(
                          rev -> send(Command.HEXISTS, room, Long.toString(rev)).toInteger() == 1));
      return true;
    } catch (ConditionTimeoutException _) {
      return false;
    }
  }

  private List<ChatClient> welcomed() {
    List<ChatClient> clients = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      String token = alice.onAnotherDevice(nodes.port(0)).token();
      clients.add(ChatClient.hello(nodes.vertx(), nodes.port(1), token));
    }
    return clients;
  }

  /// All resume before PostgreSQL answers anybody, from about the same position; answers how many
  /// pages were read from it.
  private long pagesRead(String room, long after, long last) {
    List<ChatClient> clients = welcomed();
    long before = statements.count(READ_OF_EVENTS);
    postgres.conduct(TcpProxy.Conduct.HOLD);
    List<CompletableFuture<JsonObject>> answers = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      answers.add(
          clients
              .get(i)
              .request(
                  new JsonObject()
                      .put("type", "resume")
                      .put("rooms", new JsonArray().add(ChatClient.point(room, 1, after + i % 10)))
                      .put("last", false)));
    }
    clients.forEach(client -> client.ask(new JsonObject().put("type", "ping")));
    postgres.conduct(TcpProxy.Conduct.PASS);
    answers.forEach(ChatClient::get);
    for (int i = 0; i < SESSIONS; i++) {
      ChatClient client = clients.get(i);
      client.awaitRev(room, last);
      assertThat(client.events(room))
          .extracting(event -> event.getLong("rev"))
          .isEqualTo(LongStream.rangeClosed(after + 1 + i % 10, last).boxed().toList());
    }
    clients.forEach(ChatClient::cut);
    return statements.count(READ_OF_EVENTS) - before;
  }

  /// Reads that a machine which stands still has run anew, or has run instead of those of the
  /// window, come on top: then all resume once more.
  private void assertPagesRead(String room, long after, long last, long least, long most) {
    long pages = await().until(() -> pagesRead(room, after, last), read -> read <= most);
    assertThat(pages).isGreaterThanOrEqualTo(least);
  }

  @Test
  void whatTheWindowHasIsReplayedWithoutTheDatabase() {
    assertPagesRead(room(300), 130, 301, 0, 0);
  }

  @Test
  void whatTheWindowHasNotIsReadOnceForAllOfALoop() {
    String room = room(180);
    send(Command.HDEL, room, "150");
    assertPagesRead(room, 20, 181, 1, LOOPS);
  }

  @Test
  void whatTheWindowDoesNotReachIsReadAPageAtATimeForAllOfALoop() {
    // Pages of 400 from multiples of 200, then the window; who reads on sooner has its own.
    assertPagesRead(room(900), 20, 901, 2, SESSIONS / 2);
  }
}
