package io.confab.scenario.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What people do with their own devices and accounts, and administrators with those of others.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnAccountIT {
  private static final String KEY = "a key that is only for tests";
  private static final short REVOKED = 4501;
  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND wait_event_type = 'Lock'";

  private Nodes nodes;
  private int port;
  private ApiClient backend;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    port =
        nodes.add(TestConfig.with(nodes.config(), "api_key", Optional.of(new Secret(KEY)))).port();
    backend = ApiClient.withHeaders(port, Map.of("authorization", "Key " + KEY));
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private Person person(String handle) {
    return ApiClient.person(port, handle, handle);
  }

  private ChatClient live(Person person) {
    return ChatClient.live(nodes.vertx(), port, person.token());
  }

  private static JsonObject password(String password) {
    return new JsonObject().put("password", password);
  }

  private String group(Person owner, Person member) {
    return owner
        .at(port)
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "group")
                .put("name", "Tea")
                .put("members", new JsonArray().add(member.accountId())))
        .getString("room_id");
  }

  @Test
  void aDeviceIsRenamedAndTheOtherDevicesAreTold() {
    Person ann = person("ann");
    Person phone = ann.onAnotherDevice(port);
    ChatClient socket = live(ann);
    String path = "/v1/devices/" + phone.deviceId();

    JsonObject renamed = ann.at(port).ok("PATCH", path, new JsonObject().put("name", "Phone"));

    assertThat(renamed.getString("name")).isEqualTo("Phone");
    assertThat(renamed.getBoolean("current")).isFalse();
    assertThat(socket.awaitFrame("devices.changed").getString("account_id"))
        .isEqualTo(ann.accountId());
    assertThat(ann.at(port).ok("GET", "/v1/devices", null).getJsonArray("devices"))
        .contains(renamed);
  }

  @Test
  void onlyOwnDevicesThatAreSignedInHaveNames() {
    Person ben = person("ben");
    Person phone = ben.onAnotherDevice(port);
    Person other = person("ben2");
    String path = "/v1/devices/" + phone.deviceId();
    JsonObject name = new JsonObject().put("name", "Mine");

    assertThat(other.at(port).call("PATCH", path, name).code()).isEqualTo("not_found");
    assertThat(ben.at(port).call("PATCH", path, new JsonObject().put("name", " ")).code())
        .isEqualTo("invalid_field");
    assertThat(
            ben.at(port).call("PATCH", path, new JsonObject().put("name", "x".repeat(81))).code())
        .isEqualTo("invalid_field");
    assertThat(ben.at(port).call("PATCH", path, name.copy().put("push_token", "x")).code())
        .isEqualTo("invalid_field");
    phone.at(port).ok("DELETE", "/v1/tokens", null);
    assertThat(ben.at(port).call("PATCH", path, name).code()).isEqualTo("not_found");
  }

  @Test
  void whoRemovesTheAccountIsGoneEverywhere() {
    Person cyd = person("cyd");
    Person heir = person("heir");
    ChatClient socket = live(cyd);
    ChatClient second = live(cyd.onAnotherDevice(port));
    ChatClient heirs = live(heir);
    String room = group(cyd, heir);
    heirs.awaitFrame("room.added");

    Answer wrong = cyd.at(port).call("DELETE", "/v1/me", password("not the password"));
    assertThat(wrong.code()).isEqualTo("invalid_field");
    assertThat(wrong.body().getJsonObject("error").getString("field")).isEqualTo("password");
    assertThat(cyd.at(port).call("DELETE", "/v1/me", null).status()).isEqualTo(400);
    assertThat(socket.isClosed()).isFalse();

    assertThat(cyd.at(port).call("DELETE", "/v1/me", password(ApiClient.PASSWORD)).status())
        .isEqualTo(204);

    assertThat(socket.closeCode()).isEqualTo(REVOKED);
    assertThat(second.closeCode()).isEqualTo(REVOKED);
    assertThat(cyd.at(port).call("DELETE", "/v1/me", password(ApiClient.PASSWORD)).status())
        .isEqualTo(401);
    await()
        .untilAsserted(
            () ->
                assertThat(heir.at(port).ok("GET", "/v1/rooms/" + room, null).getString("role"))
                    .isEqualTo("owner"));
    await()
        .untilAsserted(
            () ->
                assertThat(heirs.events(room))
                    .anySatisfy(
                        event -> {
                          assertThat(event.getString("kind")).isEqualTo("member.left");
                          assertThat(event.getString("reason")).isEqualTo("account_removed");
                        }));
    JsonObject again = password(ApiClient.PASSWORD).put("handle", "cyd");
    assertThat(ApiClient.stranger(port).call("POST", "/v1/tokens", again).status()).isEqualTo(401);
    assertThat(ApiClient.stranger(port).call("POST", "/v1/accounts", again).code())
        .isEqualTo("conflict");
  }

  /// The room is locked until the node is gone that has answered, so it cannot finish.
  @Test
  void whatTheNodeThatRemovedTheAccountDidNotFinishAnotherOneDoes() throws SQLException {
    Person dan = person("dan");
    Person heir = person("danny");
    String room = group(dan, heir);
    try (Connection connection = TestDatabase.connect(nodes.database().url());
        Statement lock = connection.createStatement()) {
      connection.setAutoCommit(false);
      lock.execute("SELECT FROM room_position FOR UPDATE");
      try (Node dying = Node.start(nodes.config())) {
        Answer removed =
            dan.at(dying.port()).call("DELETE", "/v1/me", password(ApiClient.PASSWORD));
        assertThat(removed.status()).isEqualTo(204);
      }
      await().until(() -> nodes.database().count(WAITING) == 0);
      connection.rollback();
    }
    assertThat(leaving(dan)).isOne();
    nodes
        .database()
        .execute("UPDATE account SET removed_at = now() - interval '1 hour' WHERE leaving");

    await().until(() -> leaving(dan) == 0);
    assertThat(heir.at(port).ok("GET", "/v1/rooms/" + room, null).getString("role"))
        .isEqualTo("owner");
    assertThat(heir.at(port).ok("GET", "/v1/rooms/" + room, null).getLong("member_count")).isOne();
  }

  private long leaving(Person person) {
    return nodes
        .database()
        .count("SELECT count(*) FROM account WHERE leaving AND handle = '" + person.handle() + "'");
  }

  @Test
  void administratorsReadAccountsPageByPage() {
    Person eve = person("eve");
    Person gone = person("gone");
    backend.ok("DELETE", "/v1/admin/accounts/" + gone.accountId(), null);
    backend.ok("POST", "/v1/admin/accounts/" + eve.accountId() + "/suspend", null);

    List<String> found = new ArrayList<>();
    String next = null;
    do {
      JsonObject page =
          backend.ok(
              "GET", "/v1/admin/accounts?limit=1" + (next == null ? "" : "&after=" + next), null);
      found.add(page.getJsonArray("accounts").getJsonObject(0).getString("account_id"));
      next = page.getString("next");
    } while (next != null);

    assertThat(found).isSorted().contains(eve.accountId()).doesNotContain(gone.accountId());
    JsonObject read = backend.ok("GET", "/v1/admin/accounts/" + eve.accountId(), null);
    assertThat(read.getString("handle")).isEqualTo("eve");
    assertThat(read.getBoolean("suspended")).isTrue();
    assertThat(backend.call("GET", "/v1/admin/accounts/" + gone.accountId(), null).code())
        .isEqualTo("not_found");
  }

  @Test
  void aBotComesInByTheTokenThatIsShownOnce() {
    ApiClient keyed =
        ApiClient.withHeaders(
            port, Map.of("authorization", "Key " + KEY, "idempotency-key", "the bot"));
    String body = new JsonObject().put("handle", "weather").encode();

    HttpResponse<String> first = keyed.exchange("POST", "/v1/admin/bots", body);
    HttpResponse<String> again = keyed.exchange("POST", "/v1/admin/bots", body);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(again.body()).isEqualTo(first.body());
    JsonObject made = new JsonObject(first.body());
    ApiClient bot = ApiClient.bearer(port, made.getString("token"));
    assertThat(bot.ok("GET", "/v1/me", null).getString("account_id"))
        .isEqualTo(made.getString("account_id"));
    JsonObject second =
        backend.ok("POST", "/v1/admin/bots", new JsonObject().put("handle", "weather"));
    assertThat(second.getString("account_id")).isEqualTo(made.getString("account_id"));
    assertThat(second.getString("token")).isNotEqualTo(made.getString("token"));
    assertThat(bot.call("DELETE", "/v1/me", password("a bot has none")).code())
        .isEqualTo("invalid_field");
    Person fay = person("fay");
    assertThat(backend.call("POST", "/v1/admin/bots", new JsonObject().put("handle", "fay")).code())
        .isEqualTo("conflict");
    assertThat(
            fay.at(port)
                .call("POST", "/v1/admin/bots", new JsonObject().put("handle", "mine"))
                .code())
        .isEqualTo("forbidden");
  }
}
