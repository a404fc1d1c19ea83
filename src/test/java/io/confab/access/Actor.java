package io.confab.access;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One caller with its credentials and its socket.
final class Actor {
  private static final int UNAUTHORIZED = 401;
  private static final short BYE = 1000;

  private final Vertx vertx;
  private final int port;
  private final Optional<Person> person;
  private final Map<String, String> headers;
  private @Nullable ChatClient socket;

  /// @param headers that bear its credentials
  private Actor(Vertx vertx, int port, Optional<Person> person, Map<String, String> headers) {
    this.vertx = vertx;
    this.port = port;
    this.person = person;
    this.headers = headers;
  }

  static Actor of(Vertx vertx, int port, Person person) {
    return new Actor(
        vertx, port, Optional.of(person), Map.of("authorization", "Bearer " + person.token()));
  }

  /// Somebody who has no account.
  static Actor of(Vertx vertx, int port, Map<String, String> headers) {
    return new Actor(vertx, port, Optional.empty(), headers);
  }

  Optional<Person> person() {
    return person;
  }

  String accountId() {
    return person.orElseThrow().accountId();
  }

  ApiClient http() {
    return ApiClient.withHeaders(port, headers);
  }

  Reply call(String method, String path, String body) {
    return call(http(), method, path, body);
  }

  /// The same call at the management port.
  Reply callManagement(int managementPort, Attempt.Call call) {
    return call(
        ApiClient.withHeaders(managementPort, headers), call.method(), call.path(), call.body());
  }

  static Reply call(ApiClient http, String method, String path, String body) {
    HttpResponse<String> answer = http.exchange(method, path, body.isEmpty() ? null : body);
    return new Reply(answer.statusCode(), answer.body());
  }

  /// Asks on its socket, which is opened before if need be; the answer may be that to `hello`.
  JsonObject ask(JsonObject frame) {
    ChatClient open = socket;
    if (open == null || open.isClosed()) {
      JsonObject greeting = hello();
      open = socket;
      if (open == null || !greeting.getString("type").equals("welcome")) {
        return greeting;
      }
    }
    return open.ask(frame);
  }

  /// What comes of `hello` with its credentials in it.
  JsonObject hello() {
    JsonObject hello = new JsonObject().put("type", "hello");
    person.ifPresent(p -> hello.put("token", p.token()));
    return greeted(person.isPresent() ? Map.of() : headers, hello);
  }

  /// What comes of `hello` with its credentials in the upgrade.
  JsonObject upgrade() {
    return greeted(headers, new JsonObject().put("type", "hello"));
  }

  private JsonObject greeted(Map<String, String> upgradeHeaders, JsonObject hello) {
    WebSocketConnectOptions upgrade = ChatClient.endpoint(port).addSubProtocol("confab.v1");
    upgradeHeaders.forEach(upgrade::addHeader);
    try {
      socket = ChatClient.open(vertx, upgrade);
    } catch (AssertionError e) {
      if (e.getCause() != null
          && e.getCause().getCause() instanceof UpgradeRejectedException rejected
          && rejected.getStatus() == UNAUTHORIZED) {
        return new JsonObject().put("type", "error").put("code", "unauthorized");
      }
      throw e;
    }
    return socket.ask(hello);
  }

  /// Opens a socket on which everything is told.
  ChatClient listen() {
    hello();
    ChatClient open = socket();
    open.resume(true);
    return open;
  }

  ChatClient socket() {
    if (socket == null) {
      throw new IllegalStateException("no socket");
    }
    return socket;
  }

  /// What comes of `bye`; the answer to `hello` where that is refused.
  JsonObject bye() {
    JsonObject greeting = hello();
    if (!greeting.getString("type").equals("welcome")) {
      return greeting;
    }
    socket().raw("{\"type\":\"bye\"}");
    return new JsonObject().put("type", socket().closeCode() == BYE ? "closed" : "error");
  }

  void close() {
    if (socket != null) {
      socket.cut();
    }
  }
}
