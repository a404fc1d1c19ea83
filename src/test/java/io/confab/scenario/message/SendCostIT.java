package io.confab.scenario.message;

import static io.confab.testing.TestConfig.onServers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.confab.testing.RespConnection;
import io.confab.testing.TestDatabase;
import io.confab.testing.proxy.Statements;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// The cost of a send or an edit does not depend on how many members the room has.
///
/// What the node does by itself now and then is counted too, and the last entries of the recent
/// window are not. Both are less than half for each send, so the whole number next to the quotient
/// is the send's own. Where the machine stood still for so long that it was more, it is counted
/// again. For a node alone nothing would be published, so there is another one.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SendCostIT {
  private static final List<Integer> SIZES = List.of(1, 100, 10_000);
  private static final int SENDS = 200;
  private static final int MOST_WITH_TYPING = 200;
  private static final int MOST_WITH_RECEIPTS = 32;

  private final OwnRedis ownRedis = OwnRedis.start();
  private final List<String> rooms = new ArrayList<>();
  private final Statements statements = new Statements();
  private int rounds;
  private Nodes nodes;
  private TcpProxy postgres;
  private Redis redis;
  private RespConnection monitor;
  private int fences;
  private Person alice;

  @BeforeAll
  void start() throws IOException {
    nodes = Nodes.start(0);
    postgres = TcpProxy.before(nodes.postgresUrl(), statements);
    redis =
        Redis.createClient(
            nodes.vertx(),
            new RedisOptions()
                .setConnectionString("redis://127.0.0.1:" + ownRedis.port())
                .setPassword(ownRedis.password()));
    monitor = new RespConnection(ownRedis.port(), ownRedis.password());
    monitor.command("MONITOR");
    nodes.add(onServers(nodes.config(), postgres.url(), ownRedis.address()));
    nodes.add(onServers(nodes.config(), nodes.postgresUrl(), ownRedis.address()));
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    addAccounts();
    for (int size : SIZES) {
      rooms.add(roomOf(size));
    }
    nodes.database().execute("ANALYZE");
  }

  @AfterAll
  void stop() throws IOException {
    monitor.close();
    redis.close();
    nodes.close();
    postgres.close();
    ownRedis.close();
  }

  private void addAccounts() {
    nodes
        .database()
        .execute(
            """
            INSERT INTO account (account_id, handle, display_name)
            SELECT i, 'member' || i, 'Member ' || i FROM generate_series(1, 9999) i
            """);
  }

  /// Makes a channel of `size` members, without their signing in.
  private String roomOf(int size) {
    String room = alice.at(nodes.port(0)).channel("of " + size);
    nodes
        .database()
        .execute(
            """
            INSERT INTO room_member (room_id, account_id, role)
            SELECT %1$d, i, 'member' FROM generate_series(1, %2$d - 1) i;
            INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
            SELECT %1$d, i, 1, 1 FROM generate_series(1, %2$d - 1) i;
            UPDATE room SET member_count = %2$d WHERE room_id = %1$d
            """
                .formatted(RoomId.parse(room).value(), size));
    assertThat(
            alice.at(nodes.port(0)).ok("GET", "/v1/rooms/" + room, null).getInteger("member_count"))
        .isEqualTo(size);
    return room;
  }

  /// Statements, Redis commands and messages of the event bus for each send.
  private record Cost(long statements, long redisCommands, long busMessages) {}

  /// The Redis commands are a publication and an entry in the recent window; the message is
  /// the command that goes from the socket to the writer's lane (answers are not counted).
  private static final Cost SEND = new Cost(1, 2, 1);

  private static final Pattern BUS_MESSAGES =
      Pattern.compile("(?m)^confab_bus_received_total\\{[^}]*} (\\S+)$");

  @Test
  void aSendIsOneHopOneStatementAndTwoRedisCommandsHoweverManyMembersTheRoomHas() {
    ChatClient client = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    for (String room : rooms) {
      assertCosts(() -> costOfSending(client, room));
    }
  }

  @Test
  void anEditIsOneHopOneStatementAndTwoRedisCommandsHoweverManyMembersTheRoomHas() {
    ChatClient client = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    for (String room : rooms) {
      assertCosts(() -> costOfEditing(client, room));
    }
  }

  /// A look whether one may send, the signal and its key; the send; and both once more as it ends.
  private static final Cost TYPED_SEND = new Cost(2, 6, 2);

  @Test
  void aSendByWhoTypesCostsTheSameHoweverManyMembersHearOfIt() {
    ChatClient client = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    for (int i = 0; i < SIZES.size(); i++) {
      if (SIZES.get(i) <= MOST_WITH_TYPING) {
        String room = rooms.get(i);
        assertCosts(TYPED_SEND, () -> cost(room, name -> typeAndSend(client, room, name)));
      }
    }
  }

  private static void typeAndSend(ChatClient client, String room, String name) {
    JsonObject typing = new JsonObject().put("type", "typing").put("room_id", room);
    assertThat(client.ask(typing).getString("type")).isEqualTo("ok");
    sendAndHear(client, room, name);
  }

  @Test
  void aSendIsTheSameWhereReceiptsAreShownAndAllMembersHearIt() {
    ChatClient client = ChatClient.live(nodes.vertx(), nodes.port(0), alice.token());
    String room = alice.at(nodes.port(0)).channel("with receipts");
    List<ChatClient> members = new ArrayList<>();
    for (int i = 1; i < MOST_WITH_RECEIPTS; i++) {
      Person person = ApiClient.person(nodes.port(0), "reader" + i, "R");
      person.at(nodes.port(0)).join(room);
      members.add(ChatClient.live(nodes.vertx(), nodes.port(0), person.token()));
    }
    assertThat(alice.at(nodes.port(0)).ok("GET", "/v1/rooms/" + room, null).getBoolean("receipts"))
        .isTrue();
    assertCosts(() -> costOfSending(client, room));
    members.forEach(ChatClient::cut);
  }

  private static void assertCosts(Supplier<Cost> one) {
    assertCosts(SEND, one);
  }

  private static void assertCosts(Cost expected, Supplier<Cost> one) {
    await().untilAsserted(() -> assertThat(one.get()).isEqualTo(expected));
  }

  private Cost costOfSending(ChatClient client, String room) {
    return cost(room, name -> sendAndHear(client, room, name));
  }

  private Cost costOfEditing(ChatClient client, String room) {
    JsonObject ack = ChatClient.get(client.send(room, room + "-edited", "hello"));
    return cost(room, name -> editAndHear(client, room, ack.getLong("seq"), name));
  }

  private Cost cost(String room, Consumer<String> one) {
    String round = "round" + rounds++ + "-";
    one.accept(round + "warm");
    long before = statements.asked();
    redisCommands(room);
    long messages = busMessages();
    for (int i = 0; i < SENDS; i++) {
      one.accept(round + i);
    }
    return new Cost(
        forEach(statements.asked() - before),
        forEach(redisCommands(room)),
        forEach(busMessages() - messages));
  }

  private static long forEach(long all) {
    return Math.round((double) all / SENDS);
  }

  /// Waits for what the send sets off, so that it is counted.
  private static void sendAndHear(ChatClient client, String room, String clientId) {
    JsonObject ack = ChatClient.get(client.send(room, room + clientId, "hello"));
    assertThat(ack.getString("type")).as("%s", ack).isEqualTo("message.ack");
    if (clientId.endsWith("9")) {
      client.awaitRev(room, ack.getLong("rev"));
    }
  }

  private static void editAndHear(ChatClient client, String room, long seq, String name) {
    JsonObject ok = ChatClient.get(client.edit(room, seq, room + "-edit-" + name, name));
    assertThat(ok.getString("type")).as("%s", ok).isEqualTo("ok");
    if (name.endsWith("9")) {
      client.awaitRev(room, ok.getLong("rev"));
    }
  }

  private long busMessages() {
    return BUS_MESSAGES
        .matcher(nodes.metrics(0))
        .results()
        .mapToLong(m -> (long) Double.parseDouble(m.group(1)))
        .sum();
  }

  /// Those that nodes sent about the room since this was asked last, but for what scripts do. One
  /// script may add to the recent window several times, which is a command each.
  private long redisCommands(String room) {
    Pattern window = Pattern.compile("recent:\\{" + room + "}");
    String fence = "fence " + fences++;
    redis
        .send(Request.cmd(Command.ECHO).arg(fence))
        .toCompletionStage()
        .toCompletableFuture()
        .join();
    try {
      long commands = 0;
      for (String told = monitor.next(); !told.contains(fence); told = monitor.next()) {
        if (told.contains(room) && !told.contains(" lua]")) {
          commands += Math.max(1, window.matcher(told).results().count());
        }
      }
      return commands;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What the statement does inside is the same too: as many rows are read and written.
  @Test
  void aSendTouchesAsManyRowsHoweverManyMembersTheRoomHas() throws SQLException {
    List<Long> touched = new ArrayList<>();
    for (String room : rooms) {
      touched.add(rowsTouchedByASend(room));
    }
    assertThat(touched).doesNotContain(0L).containsOnly(touched.getFirst());
  }

  private long rowsTouchedByASend(String room) throws SQLException {
    String send =
        """
        SET LOCAL enable_seqscan = off;
        SELECT outcome FROM append_message(
          %d, (SELECT account_id FROM account WHERE handle = 'alice'),
          'rows', gen_random_uuid(), 1, 'text', 'hello', NULL, NULL, NULL, false)
        """
            .formatted(RoomId.parse(room).value());
    try (var connection = TestDatabase.connect(nodes.database().url());
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(send);
      var rows =
          statement.executeQuery(
              """
              SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
                         + n_tup_ins + n_tup_upd + n_tup_del)
                FROM pg_stat_xact_user_tables
              """);
      rows.next();
      long touched = rows.getLong(1);
      connection.rollback();
      return touched;
    }
  }
}
