package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.outside.BearerCommand;
import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.config.Config;
import io.confab.config.ConfigLoader;
import io.confab.config.NodeRole;
import io.confab.http.AnswerWatch;
import io.confab.http.HttpApi;
import io.confab.limit.EdgeLimits;
import io.confab.listener.PublicListener;
import io.confab.message.MessageRequests;
import io.confab.message.Seating;
import io.confab.metrics.Meters;
import io.confab.protocol.NodeId;
import io.confab.protocol.Secret;
import io.confab.security.SecurityLog;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.confab.testing.TestLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;

/// The real API over the real accounts, and nothing else of a node. It believes of each request
/// the address that it says it comes from.
public final class AccountServer implements AutoCloseable {
  public static final String API_KEY = "k".repeat(40);

  public final AccountNode accounts;
  private final TestDatabase database = TestDatabase.create();
  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  public AccountServer(Vertx vertx) {
    Config config =
        new ConfigLoader(Map.of("CONFAB_API_KEY", API_KEY))
            .load(
                null,
                Map.of(
                    "http.port",
                    "0",
                    "http.trusted_proxies",
                    "127.0.0.1",
                    "rates.handle_sign_ins",
                    "1/h burst 100"))
            .config();
    accounts = new AccountNode(vertx, database.url());
    Bus bus =
        new Bus(vertx, Peers.alone(new Peer(new NodeId("node"), Map.of(NodeRole.ROUTING, 1))));
    Futures.get(bus.serve(AccountCommand.ADDRESS, 0, accounts::ask));
    Futures.get(bus.serve(BearerCommand.ADDRESS, 0, this::bearer));
    EdgeLimits limits = TestLimits.of(config);
    HttpApi api =
        new HttpApi(
            vertx,
            bus,
            config,
            limits,
            new MessageRequests(bus, limits.limits(), new Meters(), Seating.asking(bus)),
            Seating.asking(bus),
            accounts.passwords,
            new AnswerWatch((_, _) -> {}, new SecurityLog(_ -> {}), Optional.empty()));
    port =
        Futures.get(
                vertx
                    .createHttpServer(PublicListener.options(config, Optional.empty()))
                    .requestHandler(api.router())
                    .listen())
            .actualPort();
  }

  private Future<? extends BusMessage> bearer(BearerCommand<?> command) {
    return switch (command) {
      case BearerCommand.Identify(Secret token) ->
          accounts
              .authenticate(token)
              .map(a -> new BearerCommand.Identified(a.caller().account(), a));
      case BearerCommand.IdentifyDevice(Secret token) -> accounts.authenticate(token);
      case BearerCommand.Read _, BearerCommand.Admit _ -> Future.failedFuture("not asked here");
    };
  }

  /// Calls with headers in pairs.
  public HttpResponse<String> call(String method, String path, JsonObject body, String... headers) {
    try {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .method(method, HttpRequest.BodyPublishers.ofString(body.encode()))
              .headers(headers)
              .header("content-type", "application/json")
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// A call that must be answered with this status.
  public JsonObject call(
      int status, String method, String path, JsonObject body, String... headers) {
    HttpResponse<String> answer = call(method, path, body, headers);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return answer.body().isEmpty() ? new JsonObject() : new JsonObject(answer.body());
  }

  public static JsonObject person(String handle, String password) {
    return new JsonObject().put("handle", handle).put("password", password);
  }

  @Override
  public void close() {
    client.close();
    accounts.close();
    database.close();
  }
}
