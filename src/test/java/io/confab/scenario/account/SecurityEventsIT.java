package io.confab.scenario.account;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.confab.config.Config;
import io.confab.operator.ManagementClient;
import io.confab.protocol.Secret;
import io.confab.protocol.WireName;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.security.SecurityEvent;
import io.confab.testing.LogLines;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What stands in the security log of a node, and what must not.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecurityEventsIT {
  private static final String KEY = "k".repeat(40);
  private static final String WRONG = "not the password";

  private final Nodes nodes = new Nodes();
  private final List<String> secrets = new ArrayList<>(List.of(KEY, WRONG, ApiClient.PASSWORD));
  private Config config;
  private Person ann;

  @BeforeAll
  void start() {
    config = with(nodes.config(), "api_key", Optional.of(new Secret(KEY)));
    nodes.add(config);
    ann = person("ann");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private Person person(String handle) {
    Person person = ApiClient.person(nodes.port(0), handle, handle);
    secrets.addAll(List.of(person.token(), person.refreshToken()));
    return person;
  }

  private Answer stranger(String path, JsonObject body) {
    return ApiClient.stranger(nodes.port(0)).call("POST", path, body);
  }

  private Answer byKey(String key, String method, String path, String as) {
    Map<String, String> headers =
        as.isEmpty()
            ? Map.of("authorization", "Key " + key)
            : Map.of("authorization", "Key " + key, "x-confab-as", as);
    return ApiClient.withHeaders(nodes.port(0), headers).call(method, path, null);
  }

  private static JsonObject account(String handle, String password) {
    return new JsonObject().put("handle", handle).put("password", password);
  }

  private void replay(Person person) {
    JsonObject first = new JsonObject().put("refresh_token", person.refreshToken());
    JsonObject second = stranger("/v1/tokens/refresh", first).body();
    String next = second.getString("refresh_token");
    secrets.addAll(List.of(next, second.getString("access_token")));
    stranger("/v1/tokens/refresh", new JsonObject().put("refresh_token", next));
    assertThat(stranger("/v1/tokens/refresh", first).status()).isEqualTo(401);
  }

  @Test
  void everyEventIsALineAndIsCountedAndNoSecretStandsInIt() throws IOException {
    List<String> lines;
    try (LogLines log = new LogLines("security")) {
      Person bob = person("bob");
      await().until(() -> stranger("/v1/tokens", account("ann", WRONG)).status() == 429);
      replay(bob);
      JsonObject identity = new JsonObject().put("identity", "of ann");
      ann.at(nodes.port(0)).ok("PUT", "/v1/me/identity", identity);
      ann.at(nodes.port(0)).ok("DELETE", "/v1/tokens", null);
      byKey(KEY, "POST", "/v1/admin/accounts/" + bob.accountId() + "/suspend", "");
      byKey(WRONG.replace(' ', '-'), "GET", "/v1/rooms", "");
      byKey(KEY, "GET", "/v1/rooms", ann.accountId());
      try (ManagementClient client = ManagementClient.find(config.dataDir()).orElseThrow()) {
        client.run("keys.rotate", JsonNodeFactory.instance.objectNode());
      }
      lines = log.lines();
    }

    String here = "address=127.0.0.1 call=";
    assertThat(lines)
        .anyMatch(is("sign_in_failed " + here + "POST /v1/tokens handle=ann"))
        .anyMatch(is("sign_in_throttled " + here + "POST /v1/tokens handle=ann"))
        .anyMatch(is("refresh_replayed " + here + "POST /v1/tokens/refresh account="))
        .anyMatch(is("sign_in_ended " + here + "DELETE /v1/tokens caller=" + ann.accountId()))
        .anyMatch(is("identity_changed " + here + "PUT /v1/me/identity caller=" + ann.accountId()))
        .anyMatch(is("admin_call " + here + "POST /v1/admin/accounts/:account_id/suspend account="))
        .anyMatch(is("admin_refused " + here + "GET /v1/rooms refused=unauthorized"))
        .anyMatch(is("key_call " + here + "GET /v1/rooms caller=" + ann.accountId()))
        .anyMatch(is("operator_command address=local command=keys.rotate"))
        .anyMatch(is("key_rotated address=local key="))
        .filteredOn(line -> line.contains(here))
        .allMatch(line -> line.contains(" request_id="));
    assertThat(
            lines.stream()
                .filter(line -> !line.contains(" more="))
                .map(line -> line.replaceFirst(" request_id=\\S+", ""))
                .distinct()) // as a minute may have ended among those who fail
        .hasSize(10);
    assertThat(lines).noneMatch(line -> secrets.stream().anyMatch(line::contains));
    String metrics = nodes.metrics(0);
    assertThat(WireName.constants(SecurityEvent.class))
        .allSatisfy(
            event ->
                assertThat(metrics)
                    .containsPattern(
                        "confab_security_events_total\\{event=\"" + event.wire() + "\"} [1-9]"));
  }

  /// Each from an address of its own, as an address has one line a minute of some.
  @Test
  void everyWayToEndASignInOrToFailAtItIsTold() throws Exception {
    Person dora = person("dora");
    String device =
        stranger("/v1/tokens", account("dora", ApiClient.PASSWORD)).body().getString("device_id");
    JsonObject wrong = new JsonObject().put("password", WRONG);
    JsonObject change =
        new JsonObject().put("old", ApiClient.PASSWORD).put("new", "battery staple");
    try (LogLines log = new LogLines("security")) {
      from("127.0.3.1", "PUT", "/v1/me/password", dora, change.copy().put("old", WRONG));
      from("127.0.3.2", "DELETE", "/v1/me", dora, wrong);
      from("127.0.3.3", "GET", "/v1/admin/accounts", dora, null);
      from("127.0.3.4", "DELETE", "/v1/devices/" + device, dora, null);
      from("127.0.3.5", "PUT", "/v1/me/password", dora, change);
      from("127.0.3.6", "DELETE", "/v1/me", dora, wrong.copy().put("password", "battery staple"));

      assertThat(log.lines())
          .satisfiesExactly(
              line -> told(line, 1, "sign_in_failed", "PUT /v1/me/password"),
              line -> told(line, 2, "sign_in_failed", "DELETE /v1/me"),
              line -> told(line, 3, "admin_refused", "GET /v1/admin/accounts"),
              line -> told(line, 4, "sign_in_ended", "DELETE /v1/devices/:device_id"),
              line -> told(line, 5, "sign_in_ended", "PUT /v1/me/password"),
              line -> told(line, 6, "sign_in_ended", "DELETE /v1/me"));
    }
  }

  private static void told(String line, int address, String event, String call) {
    assertThat(line)
        .startsWith("INFO %s address=127.0.3.%d call=%s ".formatted(event, address, call));
  }

  @Test
  void whatCannotBeAHandleIsNotTold() throws Exception {
    List<String> typed =
        List.of("My Password 1", "ann\u001b[31m", "a\u0007", "a".repeat(3_000), "ANN");
    try (LogLines log = new LogLines("security")) {
      for (int i = 0; i < typed.size(); i++) {
        failFrom("127.0.1." + (i + 1), typed.get(i));
      }
      String line = "INFO sign_in_failed address=127.0.1.%d call=POST /v1/tokens %s";
      assertThat(log.lines()).hasSize(typed.size());
      for (int i = 0; i < typed.size() - 1; i++) {
        assertThat(log.lines().get(i)).startsWith(line.formatted(i + 1, "refused="));
      }
      assertThat(log.lines().getLast()).startsWith(line.formatted(typed.size(), "handle=ann "));
    }
  }

  @Test
  void tokensMadeForAnAccountAreToldWithItsName() throws Exception {
    Person cleo = person("cleo");
    try (LogLines log = new LogLines("security")) {
      JsonObject made =
          from(
              "127.0.2.1",
              "POST",
              "/v1/admin/tokens",
              "Key " + KEY,
              new JsonObject().put("account_id", cleo.accountId()));

      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("INFO admin_call address=127.0.2.1 call=POST /v1/admin/tokens")
          .contains(" account=" + cleo.accountId())
          .doesNotContain(made.getString("access_token"), made.getString("refresh_token"), KEY);
    }
  }

  private void failFrom(String address, String handle) throws Exception {
    JsonObject refused = from(address, "POST", "/v1/tokens", "", account(handle, WRONG));
    assertThat(refused.getJsonObject("error").getString("code")).isEqualTo("unauthorized");
  }

  private void from(
      String address, String method, String path, Person person, @Nullable JsonObject body)
      throws Exception {
    from(address, method, path, "Bearer " + person.token(), body);
  }

  /// A call from one of the addresses of this machine; answers the body.
  private JsonObject from(
      String address, String method, String path, String authorization, @Nullable JsonObject body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + nodes.port(0) + path))
            .method(
                method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.encode()));
    if (body != null) {
      request.header("content-type", "application/json");
    }
    if (!authorization.isEmpty()) {
      request.header("authorization", authorization);
    }
    try (HttpClient client =
        HttpClient.newBuilder().localAddress(InetAddress.getByName(address)).build()) {
      String answer = client.send(request.build(), BodyHandlers.ofString()).body();
      return answer.isEmpty() ? new JsonObject() : new JsonObject(answer);
    }
  }

  private static Predicate<String> is(String start) {
    return line -> line.startsWith("INFO " + start);
  }
}
