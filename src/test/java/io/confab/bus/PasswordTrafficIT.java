package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand;
import io.confab.account.AccountNode;
import io.confab.account.outside.BearerCommand;
import io.confab.config.Config;
import io.confab.config.ConfigLoader;
import io.confab.config.NodeRole;
import io.confab.config.Secret;
import io.confab.http.HttpApi;
import io.confab.limit.EdgeLimits;
import io.confab.listener.PublicListener;
import io.confab.message.MessageRequests;
import io.confab.metrics.Meters;
import io.confab.protocol.NodeId;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.confab.testing.TestLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Every call that carries a password, over the real API and the real accounts: what the bus
/// carries between them is written as if it went to another node, and searched.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class PasswordTrafficIT {
  private static final String API_KEY = "k".repeat(40);
  private static final String FIRST = "canary-first-4711";
  private static final String WRONG = "canary-wrong-4712";
  private static final String NEXT = "canary-next-4713";
  private static final String BULK = "canary-bulk-4714";

  private final RecordCodec codec = new RecordCodec();
  private final List<String> carried = new CopyOnWriteArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Config config =
      new ConfigLoader(Map.of("CONFAB_API_KEY", API_KEY))
          .load(null, Map.of("http.port", "0"))
          .config();
  private TestDatabase database;
  private AccountNode accounts;
  private int port;

  @BeforeEach
  void open(Vertx vertx) {
    database = TestDatabase.create();
    accounts = new AccountNode(vertx, database.url());
    Bus bus =
        new Bus(vertx, Peers.alone(new Peer(new NodeId("node"), Map.of(NodeRole.ROUTING, 1))));
    vertx
        .eventBus()
        .addOutboundInterceptor(
            (DeliveryContext<Envelope> delivery) -> {
              Buffer written = Buffer.buffer();
              codec.encode(written, delivery.message().body().content());
              carried.add(written.toString(StandardCharsets.UTF_8));
              delivery.next();
            });
    Futures.get(bus.serve(AccountCommand.ADDRESS, 0, accounts::ask));
    Futures.get(bus.serve(BearerCommand.ADDRESS, 0, this::bearer));
    EdgeLimits limits = TestLimits.of(config);
    HttpApi api =
        new HttpApi(
            vertx,
            bus,
            config,
            limits,
            new MessageRequests(bus, limits.limits(), new Meters()),
            accounts.passwords,
            _ -> {});
    port =
        Futures.get(
                vertx
                    .createHttpServer(PublicListener.options(config, Optional.empty()))
                    .requestHandler(api.router())
                    .listen())
            .actualPort();
  }

  @AfterEach
  void close() {
    client.close();
    accounts.close();
    database.close();
  }

  private Future<? extends BusMessage> bearer(BearerCommand<?> command) {
    return switch (command) {
      case BearerCommand.Identify(Secret token) ->
          accounts.authenticate(token).map(a -> new BearerCommand.Identified(a.caller().account()));
      case BearerCommand.IdentifyDevice(Secret token) -> accounts.authenticate(token);
      case BearerCommand.Read _, BearerCommand.Admit _ -> Future.failedFuture("not asked here");
    };
  }

  private JsonObject call(
      int status, String method, String path, String authorization, JsonObject body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body.encode()))
                .header("content-type", "application/json")
                .header("authorization", authorization)
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer.body().isEmpty() ? new JsonObject() : new JsonObject(answer.body());
  }

  private static JsonObject person(String password) {
    return new JsonObject().put("handle", "ada").put("password", password);
  }

  @Test
  void noPasswordGoesOverTheBus() throws IOException, InterruptedException {
    call(201, "POST", "/v1/accounts", "none", person(FIRST));
    call(401, "POST", "/v1/tokens", "none", person(WRONG));
    String token = call(200, "POST", "/v1/tokens", "none", person(FIRST)).getString("access_token");
    String bearer = "Bearer " + token;
    JsonObject wrong = new JsonObject().put("old", WRONG).put("new", NEXT);
    call(400, "PUT", "/v1/me/password", bearer, wrong);
    JsonObject change = new JsonObject().put("old", FIRST).put("new", NEXT);
    call(204, "PUT", "/v1/me/password", bearer, change);
    call(401, "POST", "/v1/tokens", "none", person(FIRST));
    call(200, "POST", "/v1/tokens", "none", person(NEXT));
    JsonObject bob = new JsonObject().put("handle", "bob").put("password", BULK);
    call(
        200,
        "POST",
        "/v1/admin/accounts",
        "Key " + API_KEY,
        new JsonObject().put("accounts", List.of(bob)));

    assertThat(carried).anyMatch(message -> message.contains("AccountCommand$SignUp"));
    assertThat(carried).anyMatch(message -> message.contains("AccountCommand$SignIn"));
    assertThat(carried).anyMatch(message -> message.contains("AccountCommand$ChangePassword"));
    assertThat(carried).anyMatch(message -> message.contains("AccountCommand$CreateAccounts"));
    assertThat(carried).noneMatch(message -> message.contains("canary"));
    assertThat(carried.stream().filter(message -> message.contains("\"phc\":\"$argon2id$")))
        .as("a hash goes over the bus where a password is new, and in no other message")
        .filteredOn(message -> !message.contains("PasswordSalt"))
        .hasSize(4);
  }
}
