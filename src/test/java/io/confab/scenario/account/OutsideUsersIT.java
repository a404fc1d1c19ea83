package io.confab.scenario.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.account.outside.TokenMaker;
import io.confab.config.Config;
import io.confab.config.OutsideIssuer;
import io.confab.config.TokenAlgorithm;
import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Users whom two issuers vouch for: one shares a secret, the other publishes its keys.
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutsideUsersIT {
  private static final String SHOP = "https://shop.example.com";
  private static final String SCHOOL = "https://school.example.com";
  private static final String SECRET = "a secret of thirty-two bytes or more";
  private static final TokenMaker BY_SHOP = TokenMaker.hmac(SECRET);
  private static final TokenMaker RSA = TokenMaker.of(TokenAlgorithm.RS256, "rsa");
  private static final TokenMaker EC = TokenMaker.of(TokenAlgorithm.ES256, "ec");
  private static final TokenMaker ED = TokenMaker.of(TokenAlgorithm.EDDSA, "ed");

  private final AtomicReference<String> published =
      new AtomicReference<>(TokenMaker.jwks(RSA, EC, ED));
  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    HttpServer school =
        Futures.get(
            nodes
                .vertx()
                .createHttpServer()
                .requestHandler(request -> request.response().end(published.get()))
                .listen(0, "127.0.0.1"));
    for (int i = 0; i < 2; i++) {
      nodes.add(withIssuers(nodes.config(), "http://127.0.0.1:" + school.actualPort() + "/keys"));
      awaitKeys(i);
    }
  }

  /// A node waits a few seconds for the issuer, and remembers for half a minute that it was away.
  private void awaitKeys(int node) {
    ApiClient pupil =
        ApiClient.bearer(nodes.port(node), RSA.sign(claims(SCHOOL, "the first one", 600)).value());
    await().until(() -> pupil.call("GET", "/v1/me", null).status() == 200);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private static Config withIssuers(Config base, String jwksUrl) {
    return TestConfig.with(
        base,
        "accounts.issuers",
        List.of(
            new OutsideIssuer(
                SHOP,
                "chat",
                List.of(TokenAlgorithm.HS256),
                Optional.of(new Secret(SECRET)),
                List.of(),
                Optional.empty()),
            new OutsideIssuer(
                SCHOOL,
                "chat",
                List.of(TokenAlgorithm.RS256, TokenAlgorithm.ES256, TokenAlgorithm.EDDSA),
                Optional.empty(),
                List.of(),
                Optional.of(jwksUrl))));
  }

  private static JsonObject claims(String issuer, String subject, long lifeSeconds) {
    return new JsonObject()
        .put("iss", issuer)
        .put("aud", new JsonArray().add("chat"))
        .put("sub", subject)
        .put("exp", Instant.now().getEpochSecond() + lifeSeconds);
  }

  private static String shop(String subject) {
    return BY_SHOP.sign(claims(SHOP, subject, 600)).value();
  }

  private JsonObject me(int node, String token) {
    return ApiClient.bearer(nodes.port(node), token).ok("GET", "/v1/me", null);
  }

  private static JsonObject hello(String token, String device) {
    return new JsonObject()
        .put("type", "hello")
        .put("token", token)
        .put(
            "device",
            new JsonObject().put("device_id", device).put("name", "Phone").put("platform", "test"));
  }

  private ChatClient welcomed(int node, String token, String device) {
    ChatClient client = ChatClient.open(nodes.vertx(), nodes.port(node));
    JsonObject welcome = client.ask(hello(token, device));
    assertThat(welcome.getString("type")).as("%s", welcome).isEqualTo("welcome");
    return client;
  }

  @Test
  void anAccountAppearsAtFirstUseAndIsTheSameEverywhere() {
    String token =
        BY_SHOP
            .sign(
                claims(SHOP, "first", 600)
                    .put("preferred_username", "First.User")
                    .put("name", "First User")
                    .put("email", "somebody@example.com"))
            .value();
    JsonObject me = me(0, token);
    assertThat(me.getString("handle")).isEqualTo("first.user");
    assertThat(me.getString("display_name")).isEqualTo("First User");
    assertThat(me(1, shop("first"))).isEqualTo(me);
  }

  @Test
  void aHandleIsAWishAndNeverAnIdentity() {
    Person owner = ApiClient.person(nodes.port(0), "owner", "Owner");
    JsonObject me =
        me(0, BY_SHOP.sign(claims(SHOP, "thief", 600).put("preferred_username", "owner")).value());
    assertThat(me.getString("account_id")).isNotEqualTo(owner.accountId());
    assertThat(me.getString("handle")).matches("u[a-z0-9]{8}");
    assertThat(me.getString("display_name")).isEqualTo(me.getString("handle"));
  }

  @Test
  void theSameSubjectOfAnotherIssuerIsSomebodyElse() {
    String there = RSA.sign(claims(SCHOOL, "twice", 600)).value();
    assertThat(me(0, shop("twice")).getString("account_id"))
        .isNotEqualTo(me(0, there).getString("account_id"));
  }

  @Test
  void everyPublishedKeyIsTaken() {
    List<String> accounts =
        List.of(RSA, EC, ED).stream()
            .map(maker -> me(1, maker.sign(claims(SCHOOL, "pupil", 600)).value()))
            .map(me -> me.getString("account_id"))
            .distinct()
            .toList();
    assertThat(accounts).hasSize(1);
  }

  @Test
  void firstUsesAtOnceOnTwoNodesMakeOneAccount() {
    String token =
        BY_SHOP.sign(claims(SHOP, "hasty", 600).put("preferred_username", "hasty")).value();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<JsonObject>> answers =
          IntStream.range(0, 20)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> me(i % 2, token), threads))
              .toList();
      List<JsonObject> found = answers.stream().map(ChatClient::get).distinct().toList();
      assertThat(found).singleElement().matches(me -> me.getString("handle").equals("hasty"));
    }
  }

  @Test
  void firstSocketsAtOnceOnTwoNodesMakeOneAccount() {
    List<ChatClient> clients =
        IntStream.range(0, 10)
            .mapToObj(i -> ChatClient.open(nodes.vertx(), nodes.port(i % 2)))
            .toList();
    List<CompletableFuture<JsonObject>> welcomes =
        IntStream.range(0, 10)
            .mapToObj(i -> clients.get(i).request(hello(shop("sockets"), "d" + i)))
            .toList();
    assertThat(welcomes.stream().map(w -> ChatClient.get(w).getString("account_id")).distinct())
        .hasSize(1)
        .doesNotContainNull();
    clients.forEach(ChatClient::cut);
  }

  @Test
  void whatNeedsADeviceIsForbidden() {
    ApiClient api = ApiClient.bearer(nodes.port(0), shop("without-device"));
    for (Answer answer :
        List.of(api.call("POST", "/v1/tickets", null), api.call("DELETE", "/v1/tokens", null))) {
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.code()).isEqualTo("forbidden");
    }
    assertThat(
            ApiClient.stranger(nodes.port(0))
                .call(
                    "POST",
                    "/v1/tokens",
                    new JsonObject()
                        .put("handle", me(0, shop("without-device")).getString("handle"))
                        .put("password", "correct horse"))
                .code())
        .isEqualTo("unauthorized");
  }

  @Test
  void outsideUsersTalk() {
    ApiClient api = ApiClient.bearer(nodes.port(0), shop("speaker"));
    String room = api.channel("outside talk");
    String listener = RSA.sign(claims(SCHOOL, "listener", 600)).value();
    ApiClient.bearer(nodes.port(1), listener).join(room);
    ChatClient hears = welcomed(1, listener, "phone");
    hears.resume(true);
    api.ok(
        "POST",
        "/v1/rooms/" + room + "/messages",
        new JsonObject().put("client_id", "1").put("body", "hello from outside"));
    await().until(() -> !hears.bodies(room).isEmpty());
    assertThat(hears.bodies(room)).containsExactly("hello from outside");
    hears.cut();
  }

  @Test
  void aSocketNeedsADeviceOrNoneIsMade() {
    ChatClient bare = ChatClient.open(nodes.vertx(), nodes.port(0));
    JsonObject refused = bare.ask(new JsonObject().put("type", "hello").put("token", shop("bare")));
    assertThat(refused.getString("code")).isEqualTo("invalid_field");
    assertThat(refused.getString("field")).isEqualTo("device");
    assertThat(bare.closeCode()).isEqualTo((short) 4500);

    ChatClient made = ChatClient.open(nodes.vertx(), nodes.port(0));
    JsonObject hello = hello(shop("bare"), "x");
    hello.getJsonObject("device").remove("device_id");
    assertThat(made.ask(hello).getString("device_id")).isNotBlank();
    made.cut();
  }

  @Test
  void theUpgradeMayBearTheToken() {
    ChatClient client =
        ChatClient.open(
            nodes.vertx(),
            ChatClient.endpoint(nodes.port(0))
                .addSubProtocol("confab.v1")
                .putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + shop("upgrade")));
    JsonObject hello = hello("", "tablet");
    hello.remove("token");
    JsonObject welcome = client.ask(hello);
    assertThat(welcome.getString("device_id")).isEqualTo("tablet");
    assertThat(welcome.getString("account_id"))
        .isEqualTo(me(1, shop("upgrade")).getString("account_id"));
    client.cut();
  }

  @Test
  void badTokensAreRefusedOnEveryWay() {
    TokenMaker forger = TokenMaker.hmac("another secret of thirty-two bytes");
    for (String token :
        List.of(
            forger.sign(claims(SHOP, "bad", 600)).value(),
            forger.sign(claims(SCHOOL, "bad", 600)).value(),
            BY_SHOP.sign(claims(SHOP, "bad", 600).put("aud", "mail")).value(),
            BY_SHOP.sign(claims("https://nobody.example.com", "bad", 600)).value())) {
      Answer answer = ApiClient.bearer(nodes.port(0), token).call("GET", "/v1/me", null);
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.code()).isEqualTo("unauthorized");
      assertThatThrownBy(
              () ->
                  ChatClient.open(
                      nodes.vertx(),
                      ChatClient.endpoint(nodes.port(0))
                          .addSubProtocol("confab.v1")
                          .putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token)))
          .hasStackTraceContaining("401");
      ChatClient client = ChatClient.open(nodes.vertx(), nodes.port(0));
      assertThat(client.ask(hello(token, "d")).getString("code")).isEqualTo("unauthorized");
      assertThat(client.closeCode()).isEqualTo((short) 4401);
    }
  }

  @Test
  void aSecondSocketOfTheDeviceDisplacesTheFirst() {
    ChatClient first = welcomed(0, shop("mover"), "laptop");
    ChatClient second = welcomed(1, shop("mover"), "laptop");
    assertThat(first.closeCode()).isEqualTo((short) 4409);
    assertThat(second.ask(new JsonObject().put("type", "ping")).getString("type"))
        .isEqualTo("pong");
    second.cut();
  }

  @Test
  void aSocketGoesOnByALaterTokenOfTheSameIdentity() {
    ChatClient client = welcomed(0, shop("lasting"), "phone");
    JsonObject ok = renew(client, shop("lasting"));
    assertThat(ok.getString("type")).isEqualTo("ok");
    assertThat(ok.getLong("expires_in_s")).isBetween(0L, 600L);
    for (String other :
        List.of(
            shop("another"),
            RSA.sign(claims(SCHOOL, "lasting", 600)).value(),
            ApiClient.person(nodes.port(0), "ours", "Ours").token())) {
      JsonObject refused = renew(client, other);
      assertThat(refused.getString("code")).isEqualTo("invalid_field");
      assertThat(refused.getString("field")).isEqualTo("token");
    }
    assertThat(renew(client, "nonsense").getString("code")).isEqualTo("unauthorized");
    assertThat(renew(client, BY_SHOP.sign(claims(SHOP, "lasting", -100)).value()).getString("code"))
        .isEqualTo("token_expired");
    assertThat(client.ask(new JsonObject().put("type", "ping")).getString("type"))
        .isEqualTo("pong");
    client.cut();
  }

  private static JsonObject renew(ChatClient client, String token) {
    return client.ask(new JsonObject().put("type", "token").put("token", token));
  }

  @Test
  void aSocketEndsSomeTimeAfterItsToken() {
    List<ChatClient> opened = new CopyOnWriteArrayList<>();
    await()
        .atMost(120, TimeUnit.SECONDS)
        .until(
            () -> {
              ChatClient client = ChatClient.open(nodes.vertx(), nodes.port(0));
              opened.add(client);
              String late = BY_SHOP.sign(claims(SHOP, "brief", -20)).value();
              return client.ask(hello(late, "d")).getString("type").equals("welcome");
            });
    assertThat(opened.getLast().closeCode()).isEqualTo((short) 4401);
    assertThat(opened.getLast().frames("goodbye").getLast().getBoolean("resume")).isTrue();
  }
}
