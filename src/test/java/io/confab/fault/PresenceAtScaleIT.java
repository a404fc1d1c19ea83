package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ChatClient;
import io.confab.testing.OwnPostgres;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A thousand of the ten thousand members of a channel, on two nodes against the real jar: what is
/// told when they come and go, and when the node of all of them is killed. Prints what it saw.
@Tag("full")
@ExtendWith(VertxExtension.class)
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PresenceAtScaleIT {
  private static final int MEMBERS = 10_000;
  private static final int CROWD = 1_000;
  private static final int OTHERS = 50;
  private static final RoomId ROOM = new RoomId(1);
  private static final String KEY = "an-api-key-that-is-only-for-tests-0123456789";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /// How often those who watch a room of so many members are told at most how many are there.
  private static final Duration BETWEEN_COUNTS = Duration.ofMillis(MEMBERS);

  private final Vertx vertx;
  private final NodeProcess[] nodes = new NodeProcess[2];
  private OwnPostgres postgres;
  private OwnRedis redis;
  private ApiClient backend;

  PresenceAtScaleIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeAll
  void start(@TempDir Path folder) throws SQLException {
    postgres = new OwnPostgres();
    redis = OwnRedis.start();
    Map<String, String> variables = new HashMap<>(WithoutLimits.variables());
    variables.put("CONFAB_POSTGRES_URL", TestDatabase.address(postgres.url()));
    variables.put("CONFAB_REDIS_URL", redis.address());
    variables.put("CONFAB_API_KEY", KEY);
    variables.put("CONFAB_SOCKETS_HELLO_TIMEOUT", "1m");
    variables.put("CONFAB_POSTGRES_LOCK_TIMEOUT", "30s");
    variables.put("CONFAB_HTTP_CONNECTIONS", "4000");
    variables.put("CONFAB_HTTP_ADDRESS_CONNECTIONS", "4000");
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = NodeProcess.start(folder.resolve("node" + i), 0, variables);
    }
    populate();
    backend = ApiClient.withHeaders(nodes[1].port(), Map.of("authorization", "Key " + KEY));
  }

  @AfterAll
  void stop() {
    for (NodeProcess node : nodes) {
      node.close();
    }
    redis.close();
    postgres.close();
  }

  private void populate() throws SQLException {
    try (Connection connection = TestDatabase.connect(postgres.url());
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          INSERT INTO account (account_id, handle, display_name)
            SELECT i, 'crowd' || i, 'n' FROM generate_series(1, %1$d) i;
          INSERT INTO room (room_id, type, name, name_key, member_count)
            VALUES (1, 'channel', 'all', 'all', %1$d);
          INSERT INTO room_position (room_id) VALUES (1);
          INSERT INTO room_member (room_id, account_id, role)
            SELECT 1, i, 'member' FROM generate_series(1, %1$d) i;
          ANALYZE
          """
              .formatted(MEMBERS));
    }
  }

  private static String id(int account) {
    return new AccountId(account).toString();
  }

  private String token(int account) {
    return backend
        .ok("POST", "/v1/admin/tokens", new JsonObject().put("account_id", id(account)))
        .getString("access_token");
  }

  private List<ChatClient> connect(int node, int from, int count) {
    List<ChatClient> clients = new ArrayList<>();
    for (int account = from; account < from + count; account++) {
      clients.add(ChatClient.hello(vertx, nodes[node].port(), token(account)));
    }
    return clients;
  }

  private static JsonObject watch(List<String> accounts, List<String> rooms) {
    return new JsonObject()
        .put("type", "presence.watch")
        .put("accounts", new JsonArray(accounts))
        .put("rooms", new JsonArray(rooms));
  }

  private static Set<String> told(ChatClient client, String status) {
    return client.frames("presence").stream()
        .filter(frame -> status.equals(frame.getString("status")))
        .map(frame -> frame.getString("account_id"))
        .collect(Collectors.toSet());
  }

  @Test
  void aThousandComeAndGoAndAreToldByNumberThenTheirNodeIsKilled() {
    ChatClient observer = connect(1, MEMBERS, 1).getFirst();
    ChatClient bystander = connect(1, MEMBERS - 1, 1).getFirst();
    List<String> crowdIds = IntStream.range(1, CROWD + 1).mapToObj(PresenceAtScaleIT::id).toList();
    List<String> otherIds =
        IntStream.range(2_000, 2_000 + OTHERS).mapToObj(PresenceAtScaleIT::id).toList();
    List<ChatClient> others = connect(1, 2_000, OTHERS);
    double before = frames();
    long began = System.nanoTime();

    List<ChatClient> coming = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      ChatClient client = connect(0, 3_000 + i, 1).getFirst();
      client.ask(watch(List.of(), List.of(ROOM.toString())));
      coming.add(client);
    }
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                coming.getFirst().frames("presence.count").stream()
                    .anyMatch(f -> f.getLong("online") >= CROWD));
    coming.forEach(client -> client.raw("{\"type\":\"bye\"}"));
    coming.forEach(ChatClient::closeCode);
    double frames = frames() - before;
    System.out.printf(
        "%,d of %,d members came and went: %,.0f frames, %.3f %% of %,d%n",
        CROWD, MEMBERS, frames, 100 * frames / ((double) CROWD * CROWD), CROWD * CROWD);
    long counts = 1 + (System.nanoTime() - began) / BETWEEN_COUNTS.toNanos();
    assertThat(frames).isLessThanOrEqualTo(Math.max(CROWD / 100.0, (double) counts) * CROWD);

    List<ChatClient> crowd = connect(0, 1, CROWD);
    awaitAllThere(observer, crowdIds);
    awaitAllThere(bystander, otherIds);
    int known = observer.frames("presence").size();
    int flickers = bystander.frames("presence").size();
    redis.kill();
    redis.startAgain();
    JsonObject away = new JsonObject().put("type", "presence.set").put("status", "away");
    await().until(() -> "ok".equals(crowd.getFirst().ask(away).getString("type")));
    await().atMost(PATIENCE).until(() -> !told(observer, "away").isEmpty());
    assertThat(observer.frames("presence").stream().skip(known))
        .as("a Redis that came back empty shows nobody as gone")
        .hasSize(1);
    int quiet = observer.frames("presence").size();
    long killed = System.nanoTime();
    nodes[0].kill();
    await().atMost(PATIENCE).until(() -> told(observer, "offline").containsAll(crowdIds));
    Duration taken = Duration.ofNanos(System.nanoTime() - killed);
    System.out.printf(
        "%,d people of a killed node are offline after %.1f s%n",
        crowdIds.size(), taken.toMillis() / 1e3);
    assertThat(observer.frames("presence").stream().skip(quiet))
        .as("told once each, and nobody else")
        .hasSize(crowdIds.size());
    assertThat(bystander.frames("presence")).as("nobody else flickers").hasSize(flickers);
    crowd.forEach(ChatClient::cut);
    others.forEach(ChatClient::cut);
  }

  /// Watches them until each is shown as there: a node says a little later who has come.
  private static void awaitAllThere(ChatClient client, List<String> accounts) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                client.ask(watch(accounts, List.of())).getJsonArray("accounts").stream()
                    .map(JsonObject.class::cast)
                    .allMatch(account -> "online".equals(account.getString("status"))));
  }

  private double frames() {
    return nodes[0].meter("confab_presence_frames_total")
        + nodes[1].meter("confab_presence_frames_total");
  }
}
