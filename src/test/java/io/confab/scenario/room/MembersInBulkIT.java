package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.config.Rate;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Many members are added by one call, and each as a call of its own would add it.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MembersInBulkIT {
  private static final long CROWD = 700_000;

  private Nodes nodes;
  private Person ada;
  private Person bob;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    ada = ApiClient.person(nodes.port(0), "ada", "Ada");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
    nodes
        .database()
        .execute(
            "INSERT INTO account SELECT g, 'c' || g, 'C' FROM generate_series(%d, %d) g"
                .formatted(CROWD, CROWD + 1_200));
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private static String crowd(long i) {
    return new AccountId(CROWD + i).toString();
  }

  private ApiClient at(Person person) {
    return person.at(nodes.port(0));
  }

  private String group(Object... members) {
    return at(ada)
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "group")
                .put("name", "Tea")
                .put("members", new JsonArray(List.of(members))))
        .getString("room_id");
  }

  private static JsonObject accounts(List<String> ids) {
    return new JsonObject().put("accounts", new JsonArray(ids));
  }

  private Answer add(Person by, String room, List<String> ids) {
    return at(by).call("POST", "/v1/rooms/" + room + "/members", accounts(ids));
  }

  private static List<String> outcomes(Answer answer) {
    return answer.body().getJsonArray("members").stream()
        .map(JsonObject.class::cast)
        .map(
            one ->
                one.containsKey("error")
                    ? one.getJsonObject("error").getString("code")
                    : one.getString("account_id"))
        .toList();
  }

  @Test
  void eachAccountHasItsOutcomeInOrder() {
    String room = group(bob.accountId(), crowd(5));
    Person asks = ApiClient.person(nodes.port(0), "asks", "Asks");
    at(asks).ok("PATCH", "/v1/me", new JsonObject().put("invites_from", "nobody"));
    Person blocks = ApiClient.person(nodes.port(0), "blocks", "Blocks");
    at(blocks).ok("PUT", "/v1/blocks/" + ada.accountId(), null);
    at(ada).ok("PUT", "/v1/rooms/" + room + "/bans/" + crowd(9), null);
    ChatClient socket = ChatClient.live(nodes.vertx(), nodes.port(0), asks.token());
    long before = rev(room);

    Answer answer =
        add(
            ada,
            room,
            List.of(
                crowd(2),
                asks.accountId(),
                crowd(1),
                blocks.accountId(),
                crowd(9),
                new AccountId(5).toString(),
                bob.accountId(),
                crowd(2)));

    assertThat(outcomes(answer))
        .containsExactly(
            crowd(2),
            asks.accountId(),
            crowd(1),
            "blocked",
            "conflict",
            "not_found",
            bob.accountId(),
            crowd(2));
    assertThat(answer.body().getJsonArray("invited")).containsExactly(asks.accountId());
    assertThat(socket.awaitFrame("invitation").getString("room_id")).isEqualTo(room);
    assertThat(joined(room, before)).containsExactly(crowd(2), crowd(1));
    assertThat(count("SELECT count(*) FROM room_audit WHERE action = 'member.added'", room))
        .isEqualTo(2);
    assertThat(count("SELECT member_count FROM room WHERE true", room)).isEqualTo(5);
  }

  private long rev(String room) {
    return at(ada).ok("GET", "/v1/rooms/" + room, null).getLong("rev");
  }

  private List<String> joined(String room, long after) {
    return at(ada)
        .ok("GET", "/v1/rooms/%s/events?epoch=1&after_rev=%d".formatted(room, after), null)
        .getJsonArray("events")
        .stream()
        .map(JsonObject.class::cast)
        .map(event -> event.getString("account_id"))
        .toList();
  }

  private long count(String select, String room) {
    return nodes.database().count(select + " AND room_id = " + RoomId.parse(room).value());
  }

  @Test
  void placesAreGivenInOrderUntilThereAreNoneLeft() {
    String room = group();
    at(ada).ok("PATCH", "/v1/rooms/" + room, new JsonObject().put("max_members", 3));

    assertThat(outcomes(add(ada, room, List.of(crowd(3), crowd(1), crowd(2), ada.accountId()))))
        .containsExactly(crowd(3), crowd(1), "room_full", ada.accountId());
  }

  @Test
  void whoMayNotAddAddsNobody() {
    String room = group(bob.accountId());
    Person stranger = ApiClient.person(nodes.port(0), "stranger", "Stranger");

    assertThat(add(ada, room, List.of(crowd(1), "nobody at all")).code()).isEqualTo("not_found");
    assertThat(add(bob, room, List.of(crowd(1))).code()).isEqualTo("forbidden");
    assertThat(add(stranger, room, List.of(crowd(1))).code()).isEqualTo("not_found");
    assertThat(count("SELECT member_count FROM room WHERE true", room)).isEqualTo(2);
  }

  /// The room becomes a big one on the way: the rest of them is told as one event.
  @Test
  void aThousandJoinInOneCallAndThoseOfABigRoomInOneEvent() {
    String room = group(bob.accountId());
    long before = rev(room);
    ChatClient socket = ChatClient.live(nodes.vertx(), nodes.port(0), bob.token());
    List<String> all = LongStream.range(0, 1_000).mapToObj(MembersInBulkIT::crowd).toList();
    List<String> tooMany = LongStream.range(0, 1_001).mapToObj(MembersInBulkIT::crowd).toList();

    assertThat(add(ada, room, tooMany).code()).isEqualTo("invalid_field");
    Answer answer = add(ada, room, all);

    assertThat(outcomes(answer)).isEqualTo(all);
    socket.awaitRev(room, before + 199);
    List<JsonObject> events = socket.events(room);
    assertThat(events)
        .extracting(event -> event.getLong("rev"))
        .isEqualTo(LongStream.rangeClosed(before + 1, before + 199).boxed().toList());
    assertThat(events.subList(0, 198))
        .allSatisfy(event -> assertThat(event.getString("kind")).isEqualTo("member.joined"));
    JsonObject rest = events.getLast();
    assertThat(rest.getString("kind")).isEqualTo("members");
    assertThat(rest.getLong("rev_from")).isEqualTo(rest.getLong("rev"));
    assertThat(rest.getLong("joined")).isEqualTo(802);
    assertThat(rest.getLong("left")).isZero();
    assertThat(
            count(
                "SELECT count(*) FROM member_span WHERE from_rev > "
                    + before
                    + " AND seen_from_seq = 1",
                room))
        .isEqualTo(1_000);
    assertThat(outcomes(add(ada, room, List.of(crowd(1_100), crowd(1_101)))))
        .containsExactly(crowd(1_100), crowd(1_101));
    assertThat(rev(room)).isEqualTo(before + 200);
  }

  /// Whoever holds an account of theirs keeps nobody waiting who is refused in any case.
  @Test
  void whoMayNotAddHoldsNoAccounts() throws SQLException {
    String room = group(bob.accountId());
    try (Connection connection = TestDatabase.connect(nodes.database().url());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("UPDATE account SET display_name = 'D' WHERE account_id = " + (CROWD + 7));

      assertThat(add(bob, room, List.of(crowd(7))).code()).isEqualTo("forbidden");
    }
  }

  @Test
  void aRepeatedCallWithItsKeyIsAnsweredTheSame() {
    String room = group();
    ApiClient keyed =
        ApiClient.withHeaders(
            nodes.port(0),
            Map.of("authorization", "Bearer " + ada.token(), "idempotency-key", "all"));
    String path = "/v1/rooms/" + room + "/members";
    String body = accounts(List.of(crowd(1), crowd(2))).encode();
    long before = rev(room);

    String first = keyed.exchange("POST", path, body).body();
    at(ada).ok("DELETE", path + "/" + crowd(1), null);
    String again = keyed.exchange("POST", path, body).body();

    assertThat(again).isEqualTo(first);
    assertThat(rev(room)).isEqualTo(before + 3);
    assertThat(keyed.exchange("POST", path, accounts(List.of(crowd(3))).encode()).body())
        .contains("idempotency_mismatch");
  }

  /// What is done in bulk counts as what is done one by one.
  @Test
  void theNextCallsWaitForAllThatWereAdded() {
    Config config = nodes.config();
    int port =
        nodes
            .add(TestConfig.with(config, "rates.members", new Rate(1, Duration.ofSeconds(60), 5)))
            .port();
    Person eve = ApiClient.person(port, "eve", "Eve");
    String room =
        eve.at(port)
            .ok("POST", "/v1/rooms", new JsonObject().put("type", "group").put("name", "Tea"))
            .getString("room_id");
    List<String> ten = LongStream.range(0, 10).mapToObj(MembersInBulkIT::crowd).toList();
    String path = "/v1/rooms/" + room + "/members";

    assertThat(eve.at(port).call("POST", path, accounts(ten)).status()).isEqualTo(200);
    assertThat(eve.at(port).call("POST", path, accounts(ten)).code()).isEqualTo("rate_limited");
  }
}
