package io.confab.client;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The calls against a server that answers what a test says.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class ConfabApiIT {
  private static final RoomId ROOM = RoomId.parse("000000000000a");
  private static final AccountId ANN = AccountId.parse("0000000000ann");
  private static final String MESSAGE =
      """
      {"room_id":"000000000000a","seq":1,"rev":3,"changed_rev":4,"sender_id":"0000000000ann",
       "client_id":"c-1","msg_type":"text","body":"deux","ts":1,"edited_at":2,"mood":"merry"}\
      """;

  private final Vertx vertx;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Map<String, Consumer<HttpServerRequest>> answers = new ConcurrentHashMap<>();
  private final CredentialStore store = CredentialStore.memory();
  private HttpServer server;
  private ConfabApi api;

  ConfabApiIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeEach
  void start() {
    server = get(listen());
    api = api(server.actualPort());
    get(store.save(credentials("access-1", "refresh-1")));
  }

  private Future<HttpServer> listen() {
    return vertx
        .createHttpServer()
        .requestHandler(
            request -> {
              String what = request.method() + " " + request.uri();
              asked.add(what);
              answers.getOrDefault(what, r -> answer(r, 404, error("not_found"))).accept(request);
            })
        .listen(0, "127.0.0.1");
  }

  private ConfabApi api(int... ports) {
    List<URI> servers = new ArrayList<>();
    for (int port : ports) {
      servers.add(URI.create("http://127.0.0.1:" + port));
    }
    return new ConfabApi(vertx, servers, store);
  }

  private static Credentials credentials(String access, String refresh) {
    return new Credentials(ANN, new DeviceId("d-1"), new Secret(access), new Secret(refresh));
  }

  private void on(String what, int status, String body) {
    answers.put(what, request -> answer(request, status, body));
  }

  private static void answer(HttpServerRequest request, int status, String body) {
    request.response().setStatusCode(status).end(body);
  }

  private static String error(String code) {
    return "{\"error\":{\"code\":\"%s\",\"message\":\"no\",\"retryable\":false}}".formatted(code);
  }

  /// Takes requests with this token alone; a refresh of `refresh-1` gives it out.
  private void renewable() {
    answers.put(
        "GET /v1/me",
        request -> {
          boolean fresh = "Bearer access-2".equals(request.getHeader("authorization"));
          answer(request, fresh ? 200 : 401, fresh ? ann() : error("token_expired"));
        });
    answers.put(
        "POST /v1/tokens/refresh",
        request ->
            request
                .body()
                .onSuccess(
                    body ->
                        answer(
                            request,
                            body.toString().contains("refresh-1") ? 200 : 401,
                            body.toString().contains("refresh-1")
                                ? tokens("access-2", "refresh-2")
                                : error("unauthorized"))));
  }

  private static String ann() {
    return "{\"account_id\":\"0000000000ann\",\"handle\":\"ann\",\"display_name\":\"Ann\",\"new\":1}";
  }

  private static String tokens(String access, String refresh) {
    return """
    {"access_token":"%s","refresh_token":"%s","expires_in_s":900,
     "account_id":"0000000000ann","device_id":"d-1"}\
    """
        .formatted(access, refresh);
  }

  private long count(String what) {
    return asked.stream().filter(what::equals).count();
  }

  @Test
  void anExpiredTokenIsRenewedOnceForAllWhoWait() {
    renewable();
    List<Future<Account>> calls = List.of(api.me(), api.me(), api.me(), api.me());
    calls.forEach(call -> assertThat(get(call).handle()).isEqualTo("ann"));
    assertThat(count("POST /v1/tokens/refresh")).isEqualTo(1);
    assertThat(get(store.load()).orElseThrow().refreshToken().value()).isEqualTo("refresh-2");
  }

  @Test
  void aRefreshIsRepeatedWhileItsAnswersAreLost() {
    renewable();
    Consumer<HttpServerRequest> answering =
        Objects.requireNonNull(answers.get("POST /v1/tokens/refresh"));
    answers.put(
        "POST /v1/tokens/refresh",
        request -> {
          if (count("POST /v1/tokens/refresh") <= 3) {
            breakOff(request);
          } else {
            answering.accept(request);
          }
        });
    assertThat(get(api.me()).handle()).isEqualTo("ann");
    assertThat(count("POST /v1/tokens/refresh")).isEqualTo(4);
  }

  @Test
  void whatAnotherProgramRenewedIsTakenFromTheStore() {
    renewable();
    answers.put(
        "POST /v1/tokens/refresh",
        request ->
            store
                .save(credentials("access-2", "refresh-2"))
                .onSuccess(_ -> answer(request, 401, error("unauthorized"))));
    assertThat(get(api.me()).handle()).isEqualTo("ann");
  }

  @Test
  void aSignInThatIsOverIsUnauthorized() {
    renewable();
    get(store.save(credentials("access-0", "refresh-0")));
    assertThatThrownBy(() -> get(api.me()))
        .isInstanceOfSatisfying(
            ApiException.class, refusal -> assertThat(refusal.code()).isEqualTo("unauthorized"));
  }

  @Test
  void nobodySignedInIsUnauthorizedWithoutAsking() {
    get(store.clear());
    assertThatThrownBy(() -> get(api.me())).isInstanceOf(ApiException.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void theNextServerIsAskedWhenOneIsAwayAndKeptThen() {
    HttpServer away = get(listen());
    int port = away.actualPort();
    get(away.close());
    ConfabApi both = api(port, server.actualPort());
    on("POST /v1/rooms/000000000000a/join", 200, room());
    assertThat(get(both.join(ROOM)).name()).isEqualTo("tea");
    assertThat(both.addresses().current()).isEqualTo(1);
    get(both.join(ROOM));
    assertThat(both.addresses().current()).isEqualTo(1);
  }

  @Test
  void noServerIsUnreachable() {
    get(server.close());
    assertThatThrownBy(() -> get(api.me()))
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(ApiException.UNREACHABLE);
              assertThat(refusal.detail())
                  .isEqualTo(
                      "no server answered: Connection refused: 127.0.0.1:" + server.actualPort());
              assertThat(refusal.retryable()).isTrue();
            });
  }

  @Test
  void aCallWhoseAnswerIsLostIsMadeAgainOnlyWhereThatDoesNoHarm() {
    answers.put("GET /v1/rooms/000000000000a", this::breakOff);
    answers.put("PUT /v1/me/password", this::breakOff);
    assertThatThrownBy(() -> get(api.room(ROOM))).isInstanceOf(ApiException.class);
    assertThatThrownBy(() -> get(api.changePassword(new Secret("old"), new Secret("new"))))
        .isInstanceOf(ApiException.class);
    assertThat(count("GET /v1/rooms/000000000000a")).isGreaterThan(1);
    assertThat(count("PUT /v1/me/password")).isEqualTo(1);
  }

  @Test
  void whatMakesSomethingHasOneKeyHoweverOftenItIsRepeated() {
    List<String> keys = new CopyOnWriteArrayList<>();
    answers.put(
        "POST /v1/rooms",
        request -> {
          keys.add(request.getHeader("idempotency-key"));
          switch (keys.size()) {
            case 1 -> breakOff(request);
            case 2 -> answer(request, 503, error("unavailable"));
            default -> answer(request, 201, room());
          }
        });
    assertThat(get(api.createChannel("tea", null)).name()).isEqualTo("tea");
    assertThat(keys).hasSize(3).doesNotContainNull();
    assertThat(Set.copyOf(keys)).hasSize(1);
    get(api.createChannel("tea", null));
    assertThat(Set.copyOf(keys)).hasSize(2);
  }

  @Test
  void aServerThatIsUnavailableFromTheStartIsNotWaitedFor() {
    on("POST /v1/rooms", 503, error("unavailable"));
    assertThatThrownBy(() -> get(api.createChannel("tea", null)))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("unavailable");
    assertThat(count("POST /v1/rooms")).isEqualTo(1);
  }

  @Test
  void allCallsThatTheServerMakesOnceCarryAKey() {
    Map<String, Supplier<Future<?>>> calls =
        Map.of(
            "POST /v1/rooms",
            () -> api.createDirect(ANN),
            "POST /v1/rooms/000000000000a/members",
            () -> api.add(ROOM, List.of(ANN)),
            "POST /v1/rooms/000000000000a/invites",
            () -> api.keeping(ROOM).invite(null, null),
            "POST /v1/admin/accounts",
            () -> api.administration().create(List.of(new NewAccount("bob", null, null, null))),
            "POST /v1/admin/bots",
            () -> api.administration(new Secret("k-1")).bot("weather", null));
    calls.forEach(
        (what, call) -> {
          Promise<String> key = Promise.promise();
          answers.put(
              what,
              request -> {
                key.tryComplete(request.getHeader("idempotency-key"));
                answer(request, 404, error("not_found"));
              });
          assertThatThrownBy(() -> get(call.get())).isInstanceOf(ApiException.class);
          assertThat(get(key.future())).as(what).isNotNull();
        });
  }

  @Test
  void aBackendAsksByItsKeyWithoutASignIn() {
    get(store.clear());
    answers.put(
        "POST /v1/admin/bots",
        request ->
            answer(
                request,
                "Key k-1".equals(request.getHeader("authorization")) ? 201 : 401,
                "{\"account_id\":\"0000000000b0t\",\"token\":\"confab-bot-1\"}"));
    BotToken made = get(api.administration(new Secret("k-1")).bot("weather", "Weather"));
    assertThat(made.token()).isEqualTo(new Secret("confab-bot-1"));
  }

  @Test
  void aBackendSignsADeviceInWithoutAPassword() {
    answers.put(
        "POST /v1/admin/tokens",
        request ->
            answer(
                request,
                "Key k-1".equals(request.getHeader("authorization")) ? 200 : 401,
                """
                {"account_id":"0000000000ann","device_id":"d","access_token":"a",
                 "refresh_token":"r","expires_in_s":900}\
                """));
    assertThat(get(api.administration(new Secret("k-1")).signIn(ANN, null)))
        .isEqualTo(new Credentials(ANN, new DeviceId("d"), new Secret("a"), new Secret("r")));
  }

  @Test
  void bansAndTheAuditAreReadToTheirLastPage() {
    on(
        "GET /v1/rooms/000000000000a/bans?limit=200",
        200,
        """
        {"bans":[{"account_id":"0000000000ann","banned_by":"0000000000b0b","reason":"noise",
         "banned_at":1}],"next":"0000000000ann"}\
        """);
    on(
        "GET /v1/rooms/000000000000a/bans?limit=200&after=0000000000ann",
        200,
        """
        {"bans":[{"account_id":"0000000000b0b","banned_by":"0000000000ann","banned_at":2}]}\
        """);
    on(
        "GET /v1/rooms/000000000000a/audit?limit=200",
        200,
        """
        {"entries":[{"entry_id":"4","action":"member.banned","actor_id":"0000000000b0b",
         "account_id":"0000000000ann","ts":3,"data":{"reason":"noise"}},
         {"entry_id":"5","action":"room.archived","actor_id":"0000000000b0b","ts":4}]}\
        """);
    AccountId bob = AccountId.parse("0000000000b0b");
    assertThat(get(api.keeping(ROOM).bans()))
        .containsExactly(new Ban(ANN, bob, "noise", 1), new Ban(bob, ANN, null, 2));
    assertThat(get(api.keeping(ROOM).audit()))
        .extracting(AuditEntry::action, AuditEntry::accountId, AuditEntry::ts)
        .containsExactly(tuple("member.banned", ANN, 3L), tuple("room.archived", null, 4L));
  }

  @Test
  void whatIsNoAnswerOfAServerIsToldWithoutNamesOfClasses() {
    for (String page : List.of("<html>Welcome</html>", "{\"account_id\":{}}", "[]", "{")) {
      on("GET /v1/me", 200, page);
      assertThatThrownBy(() -> get(api.me()))
          .isInstanceOfSatisfying(
              ApiException.class,
              refusal ->
                  assertThat(refusal.detail())
                      .as(page)
                      .endsWith("what came is not JSON of a Confab server"));
    }
  }

  @Test
  void wordsOfACauseLoseTheNameOfItsClass() {
    assertThat(
            ApiException.words(
                new IOException("io.netty.handler.ssl.NotSslRecordException: not a record: 48")))
        .isEqualTo("not a record: 48");
    assertThat(ApiException.words(new IOException("java.io.IOException")))
        .isEqualTo("the connection was lost");
  }

  @Test
  void eachOfTheAccountsIsMadeOrSaysWhyNot() {
    on(
        "POST /v1/admin/accounts",
        200,
        """
        {"accounts":[{"account_id":"0000000000b0b"},
         {"error":{"code":"conflict","message":"taken","field":"handle"}}]}\
        """);
    List<MadeAccount> made =
        get(
            api.administration()
                .create(
                    List.of(
                        new NewAccount("bob", "Bob", new Secret("battery staple"), "user"),
                        new NewAccount("ann", null, null, null))));
    assertThat(made)
        .containsExactly(
            new MadeAccount(AccountId.parse("0000000000b0b"), null),
            new MadeAccount(null, new Fault("conflict", "taken", "handle")));
  }

  private void breakOff(HttpServerRequest request) {
    request.connection().close();
  }

  private static String room() {
    return """
    {"room_id":"000000000000a","type":"channel","name":"tea","role":"member","history":"all",
     "member_count":2,"epoch":1,"seq":0,"rev":2,"paint":"red"}\
    """;
  }

  @Test
  void aRefusalSaysAllThatTheServerSays() {
    on(
        "GET /v1/me",
        429,
        """
        {"error":{"code":"full_moon","message":"wait","field":"sky","retryable":true,
         "retry_after_ms":1500,"request_id":"r-1"}}\
        """);
    assertThatThrownBy(() -> get(api.me()))
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo("full_moon");
              assertThat(refusal.known()).isEmpty();
              assertThat(refusal.field()).contains("sky");
              assertThat(refusal.detail()).isEqualTo("wait");
              assertThat(refusal.status()).isEqualTo(429);
              assertThat(refusal.retryable()).isTrue();
              assertThat(refusal.retryAfter()).contains(Duration.ofMillis(1500));
            });
  }

  @Test
  void anAnswerOfAProxyIsTakenAsUnavailable() {
    on("GET /v1/me", 502, "<html>Bad Gateway</html>");
    assertThatThrownBy(() -> get(api.me()))
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> {
              assertThat(refusal.known()).contains(ErrorCode.UNAVAILABLE);
              assertThat(refusal.retryable()).isTrue();
            });
  }

  @Test
  void listsAreReadToTheirEnd() {
    on("GET /v1/rooms?limit=200", 200, "{\"rooms\":[%s],\"next\":\"a b\"}".formatted(room()));
    on("GET /v1/rooms?limit=200&after=a+b", 200, "{\"rooms\":[%s]}".formatted(room()));
    assertThat(get(api.rooms())).extracting(ChatRoom::name).containsExactly("tea", "tea");
    on("GET /v1/channels?query=t&limit=200", 200, "{\"channels\":[],\"next\":\"x\"}");
    on(
        "GET /v1/channels?query=t&limit=200&after=x",
        200,
        "{\"channels\":[{\"room_id\":\"000000000000a\",\"name\":\"tea\",\"member_count\":2}]}");
    assertThat(get(api.findChannels("t"))).extracting(Channel::name).containsExactly("tea");
  }

  @Test
  void messagesAreEditedDeletedAndReadAsTheyWere() {
    on("PATCH /v1/rooms/000000000000a/messages/1", 200, MESSAGE);
    ChatMessage edited = get(api.edit(ROOM, new Seq(1), new ClientId("e-1"), "deux"));
    assertThat(edited.body()).isEqualTo("deux");
    assertThat(edited.stateRev()).isEqualTo(new Rev(4));
    on("GET /v1/rooms/000000000000a/messages/1", 200, MESSAGE);
    assertThat(get(api.message(ROOM, new Seq(1)))).isEqualTo(edited);
    on("DELETE /v1/rooms/000000000000a/messages/1", 410, error("gone"));
    get(api.delete(ROOM, new Seq(1)));
    on(
        "GET /v1/rooms/000000000000a/messages/1/versions?limit=200",
        200,
        "{\"versions\":[{\"body\":\"two\",\"ts\":1}],\"next\":\"3\"}");
    on(
        "GET /v1/rooms/000000000000a/messages/1/versions?limit=200&after=3",
        200,
        "{\"versions\":[{\"body\":\"deux\",\"ts\":2}]}");
    assertThat(get(api.versions(ROOM, new Seq(1))))
        .extracting(MessageVersion::body)
        .containsExactly("two", "deux");
  }

  @Test
  void textThatCannotBeWrittenIsRefusedBeforeAnyServerIsAsked() {
    ClientId clientId = new ClientId("e-1");
    Stream.of(
            api.send(ROOM, clientId, "half a \ud83d"),
            api.edit(ROOM, new Seq(1), clientId, "\ude00"))
        .forEach(
            call ->
                assertThatThrownBy(() -> get(call))
                    .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> {
                          assertThat(refusal.is(ErrorCode.INVALID_FIELD)).isTrue();
                          assertThat(refusal.field()).contains("body");
                        }));
    assertThat(asked).isEmpty();
    assertThat(api.addresses().current()).isZero();
  }

  @Test
  void eventsAreReadAfterAPosition() {
    on(
        "GET /v1/rooms/000000000000a/events?epoch=1&after_rev=3",
        200,
        """
        {"epoch":1,"recovered":true,"rev":4,"has_more":false,
         "events":[{"type":"room.event","room_id":"000000000000a","rev":4,"kind":"hidden"}]}\
        """);
    EventPage page = get(api.events(ROOM, new Epoch(1), new Rev(3)));
    assertThat(page.recovered()).isTrue();
    assertThat(page.events()).hasSize(1);
  }

  @Test
  void anExportComesLineByLineOnlyWhenTheLineBeforeIsTaken() {
    int count = 2_000;
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= count; i++) {
      lines.append("{\"seq\":").append(i).append("}\n");
    }
    lines.append("{\"end\":true,\"epoch\":1,\"seq\":2000,\"rev\":2001,\"count\":2000}\n");
    on("GET /v1/rooms/000000000000a/export", 200, lines.toString());
    List<String> taken = new CopyOnWriteArrayList<>();
    Promise<Void> first = Promise.promise();
    Promise<Void> begun = Promise.promise();
    Future<ExportEnd> export =
        api.export(
            ROOM,
            line -> {
              taken.add(line);
              begun.tryComplete();
              return taken.size() == 1 ? first.future() : Future.succeededFuture();
            });
    get(begun.future());
    get(api.room(ROOM).otherwiseEmpty()); // another call comes and goes meanwhile
    assertThat(taken).hasSize(1);
    first.complete();
    assertThat(get(export).count()).isEqualTo(count);
    assertThat(taken).hasSize(count + 1);
    assertThat(taken.get(count - 1)).isEqualTo("{\"seq\":2000}");
  }

  @Test
  void anExportThatEndsEarlyIsNotWhole() {
    on("GET /v1/rooms/000000000000a/export", 200, "{\"seq\":1}\n{\"seq\":2}\n");
    assertThatThrownBy(() -> get(api.export(ROOM, _ -> Future.succeededFuture())))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("not whole");
  }

  @Test
  void anExportEndsWhenItsReaderFails() {
    on("GET /v1/rooms/000000000000a/export", 200, "{\"seq\":1}\n{\"seq\":2}\n");
    assertThatThrownBy(
            () ->
                get(api.export(ROOM, _ -> Future.failedFuture(new IllegalStateException("full")))))
        .isInstanceOf(IllegalStateException.class);
  }
}
