package io.confab.scenario.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Renewing the token of a live socket.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenIT {
  private static final long LIFE_S = 900;

  private Nodes nodes;
  private Person person;
  private ChatClient client;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    Config base = nodes.config();
    nodes.add(TestConfig.with(base, "accounts.access_token_ttl", Duration.ofSeconds(1)));
    person = ApiClient.person(nodes.port(0), "lasting", "Lasting");
    client = ChatClient.hello(nodes.vertx(), nodes.port(0), person.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @AfterEach
  void theSocketGoesOn() {
    assertThat(client.ask(new JsonObject().put("type", "ping")).getString("type"))
        .isEqualTo("pong");
  }

  private JsonObject renew(String token) {
    return client.ask(new JsonObject().put("type", "token").put("token", token));
  }

  private String refreshed(int node, Person who) {
    return ApiClient.stranger(nodes.port(node))
        .ok("POST", "/v1/tokens/refresh", new JsonObject().put("refresh_token", who.refreshToken()))
        .getString("access_token");
  }

  private void assertRefused(String token, String code) {
    JsonObject error = renew(token);
    assertThat(error.getString("type")).isEqualTo("error");
    assertThat(error.getString("code")).isEqualTo(code);
  }

  @Test
  void aTokenOfTheSameDeviceIsTakenAndItsLifeTold() {
    JsonObject ok = renew(refreshed(0, person));
    assertThat(ok.getString("type")).isEqualTo("ok");
    assertThat(ok.getLong("expires_in_s")).isBetween(1L, LIFE_S);
    assertThat(ok.containsKey("rev")).isFalse();
  }

  @Test
  void aTokenOfSomebodyElseOrOfAnotherDeviceIsNot() {
    Person other = ApiClient.person(nodes.port(0), "other", "Other");
    assertRefused(other.token(), "invalid_field");
    JsonObject refused = renew(person.onAnotherDevice(nodes.port(0)).token());
    assertThat(refused.getString("code")).isEqualTo("invalid_field");
    assertThat(refused.getString("field")).isEqualTo("token");
  }

  @Test
  void aTokenOfNoSenseAndNoTokenAreNot() {
    assertRefused("nonsense", "unauthorized");
    assertRefused(person.token() + "x", "unauthorized");
    JsonObject missing = client.ask(new JsonObject().put("type", "token"));
    assertThat(missing.getString("field")).isEqualTo("token");
  }

  @Test
  void aTokenThatIsOverIsNot() {
    Person hasty = ApiClient.person(nodes.port(1), "hasty", "Hasty");
    ChatClient hastily = ChatClient.hello(nodes.vertx(), nodes.port(0), refreshed(0, hasty));
    JsonObject token = new JsonObject().put("type", "token").put("token", hasty.token());
    await().until(() -> "token_expired".equals(hastily.ask(token).getString("code")));
    assertThat(hastily.ask(new JsonObject().put("type", "ping")).getString("type"))
        .isEqualTo("pong");
  }
}
