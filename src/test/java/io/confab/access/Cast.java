package io.confab.access;

import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// The people of the matrix: for each column one who calls, and some to whom things are done.
final class Cast {
  static final String KEY = "an-api-key-that-is-only-for-tests-0123456789";

  private final Vertx vertx;
  private final int port;
  private final ApiClient backend;
  private final Map<Who, Actor> actors = new EnumMap<>(Who.class);
  private final Map<Target, Actor> targets = new EnumMap<>(Target.class);

  /// To whom something is done.
  enum Target {
    MEMBER,
    ADMIN,
    OWNER,
    MUTED,
    BANNED,
    /// In no room.
    NEW
  }

  /// @param shortLived a port of a node whose access tokens are over at once
  Cast(Vertx vertx, int port, int shortLived) {
    this.vertx = vertx;
    this.port = port;
    this.backend = ApiClient.withHeaders(port, Map.of("authorization", "Key " + KEY));
    for (Who who : Who.values()) {
      actors.put(who, actor(who, shortLived));
    }
    for (Target target : Target.values()) {
      targets.put(target, actor(person("user")));
    }
    block(actor(Who.OWNER), actor(Who.BLOCKED));
    block(target(Target.NEW), actor(Who.BLOCKED));
  }

  private Actor actor(Who who, int shortLived) {
    return switch (who) {
      case NOBODY -> Actor.of(vertx, port, Map.of());
      case API_KEY -> Actor.of(vertx, port, Map.of("authorization", "Key " + KEY));
      case SERVER_ADMIN -> actor(person("admin"));
      case SUSPENDED -> suspended();
      case REVOKED -> signedOut();
      case EXPIRED -> expired(shortLived);
      case STRANGER, INVITED, FORMER, BANNED, MUTED, BLOCKED, MEMBER, ADMIN, OWNER ->
          actor(person("user"));
    };
  }

  private Actor actor(Person person) {
    return Actor.of(vertx, port, person);
  }

  private Actor suspended() {
    Person person = person("user");
    backend.ok("POST", "/v1/admin/accounts/" + person.accountId() + "/suspend", null);
    return actor(person);
  }

  private Actor signedOut() {
    Person person = person("user");
    person.at(port).ok("DELETE", "/v1/tokens", null);
    return actor(person);
  }

  private Actor expired(int shortLived) {
    Person person = ApiClient.signIn(shortLived, person("user").handle(), null);
    await().until(() -> person.at(port).call("GET", "/v1/me", null).status() != 200);
    return actor(person);
  }

  /// A new account, signed in.
  private Person person(String role) {
    JsonObject account =
        new JsonObject()
            .put("handle", unique())
            .put("password", ApiClient.PASSWORD)
            .put("role", role);
    JsonObject made =
        backend.ok(
            "POST",
            "/v1/admin/accounts",
            new JsonObject().put("accounts", new JsonArray().add(account)));
    return signIn(
        account.getString("handle"),
        made.getJsonArray("accounts").getJsonObject(0).getString("account_id"));
  }

  /// A name that fits a handle and that nothing has yet.
  static String unique() {
    return "p" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
  }

  private Person signIn(String handle, String accountId) {
    JsonObject tokens =
        backend.ok("POST", "/v1/admin/tokens", new JsonObject().put("account_id", accountId));
    return new Person(
        handle,
        accountId,
        tokens.getString("device_id"),
        tokens.getString("access_token"),
        tokens.getString("refresh_token"));
  }

  /// The same caller on a device that it never used; those who cannot sign in stay as they are.
  Actor onNewDevice(Who who, Actor actor) {
    return who.isSignedIn()
        ? actor(signIn(actor.person().orElseThrow().handle(), actor.accountId()))
        : actor;
  }

  Actor newcomer() {
    return newcomer("user");
  }

  /// @param role on the server
  Actor newcomer(String role) {
    return actor(person(role));
  }

  void block(Actor blocker, Actor blocked) {
    blocker.http().ok("PUT", "/v1/blocks/" + blocked.accountId(), null);
  }

  void remove(Actor actor) {
    backend.ok("DELETE", "/v1/admin/accounts/" + actor.accountId(), null);
  }

  Actor actor(Who who) {
    return Objects.requireNonNull(actors.get(who));
  }

  Actor target(Target target) {
    return Objects.requireNonNull(targets.get(target));
  }

  /// The API key, acting for an account.
  ApiClient actingFor(Actor actor) {
    return ApiClient.withHeaders(
        port, Map.of("authorization", "Key " + KEY, "x-confab-as", actor.accountId()));
  }

  void close() {
    actors.values().forEach(Actor::close);
    targets.values().forEach(Actor::close);
  }
}
