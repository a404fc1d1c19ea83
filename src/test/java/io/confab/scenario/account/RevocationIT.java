package io.confab.scenario.account;

import static io.confab.testing.TestConfig.onServers;
import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestServers;
import io.confab.testing.proxy.LostCommits;
import io.confab.testing.proxy.LostPublications;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every end of a sign-in closes its sockets on every node, also when Redis loses the signal; and
/// who may do that.
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RevocationIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String KEY = "an-api-key-that-is-only-for-tests-0123456789";
  private static final String PASSWORD = "correct horse";

  private final AtomicInteger people = new AtomicInteger();
  private final LostPublications publications = new LostPublications();
  private final LostCommits commits = new LostCommits();
  private Nodes nodes;
  private TcpProxy redis;
  private TcpProxy postgres;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    redis = TcpProxy.before(TestServers.redis(), publications);
    postgres = TcpProxy.before(nodes.postgresUrl(), commits);
    nodes.add(
        with(
            onServers(nodes.config(), postgres.url(), redis.url()),
            "api_key",
            Optional.of(new Secret(KEY))));
    nodes.add(nodes.config());
    nodes.add(nodes.config());
  }

  @AfterAll
  void stop() {
    nodes.close();
    redis.close();
    postgres.close();
  }

  @AfterEach
  void deliverAgain() {
    publications.lose();
  }

  private Person person() {
    return ApiClient.person(nodes.port(0), "person" + people.incrementAndGet(), "Somebody");
  }

  private ApiClient at(Person person) {
    return person.at(nodes.port(0));
  }

  private ApiClient backend() {
    return ApiClient.withHeaders(nodes.port(0), Map.of("authorization", "Key " + KEY));
  }

  private ApiClient actingFor(String account) {
    return ApiClient.withHeaders(
        nodes.port(0), Map.of("authorization", "Key " + KEY, "x-confab-as", account));
  }

  private Answer suspend(String account, String what) {
    return backend().call("POST", "/v1/admin/accounts/" + account + "/" + what, null);
  }

  private static JsonObject passwords(String old, String fresh) {
    return new JsonObject().put("old", old).put("new", fresh);
  }

  private Answer signIn(String handle, String password) {
    return ApiClient.stranger(nodes.port(1))
        .call(
            "POST", "/v1/tokens", new JsonObject().put("handle", handle).put("password", password));
  }

  private Answer refresh(String token) {
    return ApiClient.stranger(nodes.port(1))
        .call("POST", "/v1/tokens/refresh", new JsonObject().put("refresh_token", token));
  }

  /// What ends the sign-in of a device; some of it another device of the account does.
  enum End {
    SIGN_OUT(4501),
    DEVICE_REMOVED(4501),
    SIGNED_IN_ANEW(4501),
    REFRESH_TOKEN_REUSED(4501),
    PASSWORD_CHANGED(4501),
    SUSPENDED(4502),
    REMOVED(4501);

    private final int code;

    End(int code) {
      this.code = code;
    }
  }

  private void end(End end, Person phone, Person laptop) {
    switch (end) {
      case SIGN_OUT -> at(phone).ok("DELETE", "/v1/tokens", null);
      case DEVICE_REMOVED -> at(laptop).ok("DELETE", "/v1/devices/" + phone.deviceId(), null);
      case SIGNED_IN_ANEW -> ApiClient.signIn(nodes.port(0), phone.handle(), phone.deviceId());
      case REFRESH_TOKEN_REUSED -> {
        JsonObject spent = new JsonObject().put("refresh_token", phone.refreshToken());
        ApiClient stranger = ApiClient.stranger(nodes.port(0));
        JsonObject next = stranger.ok("POST", "/v1/tokens/refresh", spent);
        String successor = next.getString("refresh_token");
        stranger.ok("POST", "/v1/tokens/refresh", new JsonObject().put("refresh_token", successor));
        assertThat(stranger.call("POST", "/v1/tokens/refresh", spent).status()).isEqualTo(401);
      }
      case PASSWORD_CHANGED ->
          at(laptop).ok("PUT", "/v1/me/password", passwords(PASSWORD, "another horse"));
      case SUSPENDED -> suspend(phone.accountId(), "suspend");
      case REMOVED -> backend().ok("DELETE", "/v1/admin/accounts/" + phone.accountId(), null);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everySocketOfAnEndedSignInIsClosedOnEveryNode(End end) {
    endsEverywhere(end);
  }

  @ParameterizedTest
  @EnumSource
  void everySocketOfAnEndedSignInIsClosedThoughTheSignalWasLost(End end) {
    publications.lose("account");
    long before = publications.lost();
    endsEverywhere(end);
    assertThat(publications.lost()).isGreaterThan(before);
  }

  private void endsEverywhere(End end) {
    for (int node = 0; node < 3; node++) {
      Person phone = person();
      Person laptop = phone.onAnotherDevice(nodes.port(0));
      ChatClient socket = ChatClient.live(nodes.vertx(), nodes.port(node), phone.token());
      end(end, phone, laptop);
      assertThat((int) socket.closeCode()).as("on node " + node).isEqualTo(end.code);
      assertThat(socket.frames("goodbye").getLast().getBoolean("resume")).isFalse();
      assertThat(at(phone).call("GET", "/v1/me", null).status()).isEqualTo(401);
      assertThat(refresh(phone.refreshToken()).status()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SIGN_OUT", "DEVICE_REMOVED", "PASSWORD_CHANGED", "SUSPENDED"})
  void aSocketIsClosedThoughTheCommitWasNeverAnswered(End end) {
    for (int node = 0; node < 2; node++) {
      Person phone = person();
      Person laptop = phone.onAnotherDevice(nodes.port(0));
      ChatClient socket = ChatClient.live(nodes.vertx(), nodes.port(node), phone.token());
      int before = commits.lost();
      commits.loseNext("UPDATE device SET family_id = NULL|DELETE FROM device WHERE account_id");
      try {
        end(end, phone, laptop);
      } catch (AssertionError _) {
        // the answer is a failure; what was done is done
      }
      assertThat(commits.lost()).isEqualTo(before + 1);
      assertThat((int) socket.closeCode()).isEqualTo(end.code);
    }
  }

  @Test
  void aPasswordChangeLeavesTheDeviceThatMadeItAndTakesTheOldPasswordAway() {
    Person laptop = person();
    ChatClient socket = ChatClient.live(nodes.vertx(), nodes.port(1), laptop.token());
    Answer wrong = at(laptop).call("PUT", "/v1/me/password", passwords("no horse", "new horse"));
    assertThat(wrong.code()).isEqualTo("invalid_field");
    assertThat(wrong.body().getJsonObject("error").getString("field")).isEqualTo("old");
    at(laptop).ok("PUT", "/v1/me/password", passwords(PASSWORD, "new horse"));
    assertThat(signIn(laptop.handle(), PASSWORD).code()).isEqualTo("unauthorized");
    assertThat(signIn(laptop.handle(), "new horse").status()).isEqualTo(200);
    assertThat(at(laptop).call("GET", "/v1/me", null).status()).isEqualTo(200);
    assertThat(refresh(laptop.refreshToken()).status()).isEqualTo(200);
    assertThat(socket.ask(new JsonObject().put("type", "ping")).getString("type"))
        .isEqualTo("pong");
    socket.cut();
  }

  @Test
  void aSuspendedAccountIsLetInAgainOnlyByASignInAfterItWasRestored() {
    Person person = person();
    assertThat(suspend(person.accountId(), "suspend").body().getBoolean("suspended")).isTrue();
    assertThat(signIn(person.handle(), PASSWORD).code()).isEqualTo("forbidden");
    assertThat(signIn(person.handle(), "not the password").code()).isEqualTo("unauthorized");
    assertThat(actingFor(person.accountId()).call("GET", "/v1/me", null).code())
        .isEqualTo("forbidden");
    assertThat(suspend(person.accountId(), "restore").body().getBoolean("suspended")).isFalse();
    assertThat(at(person).call("GET", "/v1/me", null).code()).isEqualTo("unauthorized");
    assertThat(refresh(person.refreshToken()).code()).isEqualTo("unauthorized");
    assertThat(signIn(person.handle(), PASSWORD).status()).isEqualTo(200);
  }

  @Test
  void theRoomsOfARemovedAccountGoOnWithoutIt() {
    Person owner = person();
    Person heir = person();
    String room =
        at(owner)
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "group")
                    .put("name", "Legacy")
                    .put("members", new JsonArray().add(heir.accountId())))
            .getString("room_id");
    backend().ok("DELETE", "/v1/admin/accounts/" + owner.accountId(), null);
    JsonObject left = at(heir).ok("GET", "/v1/rooms/" + room, null);
    assertThat(left.getString("role")).isEqualTo("owner");
    assertThat(left.getInteger("member_count")).isEqualTo(1);
    assertThat(
            at(heir)
                .call(
                    "PUT", "/v1/rooms/" + room + "/members/" + owner.accountId(), new JsonObject())
                .code())
        .isEqualTo("not_found");
  }

  @Test
  void aRemovedAccountLeavesItsHandleTaken() {
    Person person = person();
    backend().ok("DELETE", "/v1/admin/accounts/" + person.accountId(), null);
    assertThat(signIn(person.handle(), PASSWORD).code()).isEqualTo("unauthorized");
    assertThat(suspend(person.accountId(), "suspend").code()).isEqualTo("not_found");
    assertThat(actingFor(person.accountId()).call("GET", "/v1/me", null).code())
        .isEqualTo("not_found");
    JsonObject again =
        new JsonObject().put("handle", person.handle()).put("password", "another horse");
    assertThat(ApiClient.stranger(nodes.port(0)).call("POST", "/v1/accounts", again).code())
        .isEqualTo("conflict");
    backend().ok("DELETE", "/v1/admin/accounts/" + person.accountId(), null);
  }

  @Test
  void aNewNameIsToldToOwnSessionsAndToThoseInSmallRooms() {
    Person ann = person();
    Person bob = person();
    String room = at(ann).channel("names " + ann.handle());
    at(bob).join(room);
    ChatClient own = ChatClient.live(nodes.vertx(), nodes.port(2), ann.token());
    ChatClient others = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    JsonObject changed =
        at(ann).ok("PATCH", "/v1/me", new JsonObject().put("display_name", "Ann the second"));
    assertThat(changed.getString("display_name")).isEqualTo("Ann the second");
    for (ChatClient client : List.of(own, others)) {
      await().until(() -> !client.frames("account.changed").isEmpty());
      JsonObject frame = client.frames("account.changed").getFirst();
      assertThat(frame.getString("account_id")).isEqualTo(ann.accountId());
      assertThat(frame.getString("display_name")).isEqualTo("Ann the second");
      client.cut();
    }
    assertThat(
            at(ann).call("PATCH", "/v1/me", new JsonObject().put("private_reading", "yes")).code())
        .isEqualTo("invalid_field");
  }

  @Test
  void anAccountIsToldOfADeviceThatABackendSignsInAndAdminsSignNobodyIn() {
    Person ann = person();
    ChatClient own = ChatClient.live(nodes.vertx(), nodes.port(2), ann.token());
    JsonObject asked = new JsonObject().put("account_id", ann.accountId());
    JsonObject issued = backend().ok("POST", "/v1/admin/tokens", asked);
    await().until(() -> !own.frames("devices.changed").isEmpty());
    assertThat(own.frames("devices.changed").getFirst().getString("account_id"))
        .isEqualTo(ann.accountId());
    own.cut();

    JsonArray devices = at(ann).ok("GET", "/v1/devices", null).getJsonArray("devices");
    assertThat(devices)
        .filteredOn(device -> "api_key".equals(((JsonObject) device).getString("issued_by")))
        .singleElement()
        .extracting(device -> ((JsonObject) device).getString("device_id"))
        .isEqualTo(issued.getString("device_id"));

    JsonObject admin = new JsonObject().put("handle", "a" + ann.handle()).put("role", "admin");
    String id =
        backend()
            .ok(
                "POST",
                "/v1/admin/accounts",
                new JsonObject().put("accounts", new JsonArray().add(admin)))
            .getJsonArray("accounts")
            .getJsonObject(0)
            .getString("account_id");
    JsonObject tokens =
        backend().ok("POST", "/v1/admin/tokens", new JsonObject().put("account_id", id));
    ApiClient byToken =
        ApiClient.withHeaders(
            nodes.port(0), Map.of("authorization", "Bearer " + tokens.getString("access_token")));
    assertThat(byToken.call("POST", "/v1/admin/tokens", asked).code()).isEqualTo("forbidden");
    assertThat(actingFor(id).call("POST", "/v1/admin/tokens", asked).code()).isEqualTo("forbidden");
  }

  @Test
  void devicesAreListedAndOnlyOnesOwnAreRemoved() {
    Person phone = person();
    Person laptop = phone.onAnotherDevice(nodes.port(0));
    JsonArray devices = at(laptop).ok("GET", "/v1/devices", null).getJsonArray("devices");
    assertThat(devices)
        .extracting(d -> ((JsonObject) d).getString("device_id"))
        .containsExactlyInAnyOrder(phone.deviceId(), laptop.deviceId());
    assertThat(devices)
        .filteredOn(d -> ((JsonObject) d).getBoolean("current"))
        .extracting(d -> ((JsonObject) d).getString("device_id"))
        .containsExactly(laptop.deviceId());
    at(person()).ok("DELETE", "/v1/devices/" + phone.deviceId(), null); // none of that person's
    assertThat(at(laptop).ok("GET", "/v1/devices", null).getJsonArray("devices")).hasSize(2);
    at(laptop).ok("DELETE", "/v1/devices/" + phone.deviceId(), null);
    assertThat(at(laptop).ok("GET", "/v1/devices", null).getJsonArray("devices")).hasSize(1);
  }

  @Test
  void theApiKeyActsForAccountsAndNeverAsADevice() {
    Person person = person();
    ApiClient acting = actingFor(person.accountId());
    assertThat(acting.ok("GET", "/v1/me", null).getString("handle")).isEqualTo(person.handle());
    assertThat(acting.channel("acted " + person.handle())).isNotEmpty();
    JsonObject tokens = new JsonObject().put("handle", "x").put("password", "y");
    assertThat(
            List.of(
                acting.call("POST", "/v1/accounts", tokens),
                acting.call("POST", "/v1/tokens", tokens),
                acting.call("DELETE", "/v1/tokens", null),
                acting.call("POST", "/v1/tickets", null),
                acting.call("GET", "/v1/devices", null),
                acting.call("DELETE", "/v1/devices/" + person.deviceId(), null),
                acting.call("PUT", "/v1/me/password", passwords(PASSWORD, "new horse")),
                acting.call("POST", "/v1/admin/tokens", new JsonObject()),
                backend().call("GET", "/v1/me", null),
                backend().call("GET", "/v1/rooms", null),
                at(person).call("POST", "/v1/admin/tokens", new JsonObject())))
        .allSatisfy(answer -> assertThat(answer.code()).isEqualTo("forbidden"));
    ApiClient wrong =
        ApiClient.withHeaders(nodes.port(0), Map.of("authorization", "Key " + KEY + "x"));
    assertThat(wrong.call("POST", "/v1/admin/tokens", new JsonObject()).code())
        .isEqualTo("unauthorized");
    ApiClient keyless = ApiClient.withHeaders(nodes.port(1), Map.of("authorization", "Key " + KEY));
    assertThat(keyless.call("POST", "/v1/admin/tokens", new JsonObject()).code())
        .isEqualTo("unauthorized");
    ApiClient disguised =
        ApiClient.withHeaders(
            nodes.port(0),
            Map.of("authorization", "Bearer " + person.token(), "x-confab-as", person.accountId()));
    for (String path : List.of("/v1/me", "/v1/rooms", "/v1/devices", "/v1/accounts?handle=ann")) {
      assertThat(disguised.call("GET", path, null).code()).as(path).isEqualTo("forbidden");
    }
    assertThat(disguised.call("POST", "/v1/tickets", null).code()).isEqualTo("forbidden");
    assertThat(actingFor("zzz").call("GET", "/v1/me", null).code())
        .isIn("invalid_field", "not_found");
  }

  @Test
  void aBulkCallSaysOfEachAccountWhatBecameOfIt() {
    JsonArray accounts =
        new JsonArray()
            .add(new JsonObject().put("handle", "bulk-one").put("password", PASSWORD))
            .add(new JsonObject().put("handle", "BULK-ONE"))
            .add(new JsonObject().put("handle", "!"))
            .add(new JsonObject().put("handle", "bulk-two").put("role", "king"))
            .add(new JsonObject().put("handle", "bulk-admin").put("role", "admin"));
    for (int i = 0; i < 60; i++) {
      accounts.add(new JsonObject().put("handle", "bulk" + i).put("display_name", "Bulk " + i));
    }
    JsonArray made =
        backend()
            .ok("POST", "/v1/admin/accounts", new JsonObject().put("accounts", accounts))
            .getJsonArray("accounts");
    assertThat(made).hasSize(65);
    assertThat(made.getJsonObject(0).getString("account_id")).isNotEmpty();
    assertThat(error(made, 1)).isEqualTo("conflict");
    assertThat(error(made, 2)).isEqualTo("invalid_field");
    assertThat(error(made, 3)).isEqualTo("invalid_field");
    assertThat(signIn("bulk-one", PASSWORD).status()).isEqualTo(200);
    for (int i = 4; i < 65; i++) {
      assertThat(made.getJsonObject(i).getString("account_id")).isNotEmpty();
    }
    JsonObject tokens =
        backend()
            .ok(
                "POST",
                "/v1/admin/tokens",
                new JsonObject().put("account_id", made.getJsonObject(4).getString("account_id")));
    ApiClient admin =
        ApiClient.withHeaders(
            nodes.port(1), Map.of("authorization", "Bearer " + tokens.getString("access_token")));
    String victim = made.getJsonObject(10).getString("account_id");
    assertThat(
            admin
                .ok("POST", "/v1/admin/accounts/" + victim + "/suspend", null)
                .getBoolean("suspended"))
        .isTrue();
  }

  private static String error(JsonArray made, int place) {
    return made.getJsonObject(place).getJsonObject("error").getString("code");
  }

  private HttpResponse<String> raw(String path, String body, String... headers) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + nodes.port(0) + path))
              .timeout(PATIENCE)
              .header("content-type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body));
      if (headers.length > 0) {
        request.headers(headers);
      }
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void theCookieIsForNoPageAndNeedsAHeaderThatOnlyOwnPagesSet() throws Exception {
    Person person = person();
    HttpResponse<String> signedIn =
        raw(
            "/v1/tokens",
            new JsonObject()
                .put("handle", person.handle())
                .put("password", PASSWORD)
                .put("cookie", true)
                .encode());
    assertThat(new JsonObject(signedIn.body()).getString("refresh_token")).isNull();
    String set = signedIn.headers().firstValue("set-cookie").orElseThrow();
    assertThat(set)
        .contains("HTTPOnly", "SameSite=Strict", "Path=/v1/tokens")
        .doesNotContain("Secure");
    String cookie = set.substring(0, set.indexOf(';'));
    assertThat(raw("/v1/tokens/refresh", "{}", "cookie", cookie).statusCode()).isEqualTo(403);
    HttpResponse<String> refreshed =
        raw("/v1/tokens/refresh", "{}", "cookie", cookie, "x-confab", "1");
    assertThat(refreshed.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(refreshed.body()).getString("refresh_token")).isNull();
    assertThat(refreshed.headers().firstValue("set-cookie").orElseThrow())
        .doesNotStartWith(cookie + ";");
    assertThat(raw("/v1/tokens/refresh", "{}").statusCode()).isEqualTo(400);
  }
}
