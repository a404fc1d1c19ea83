package io.confab.scenario.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Sign-ins and tickets, opening a socket, and the reasons for which it is closed.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessIT {
  /// Waits short for `hello`.
  private static final int HASTY = 2;

  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    nodes.add(nodes.config());
    nodes.add(TestConfig.with(nodes.config(), "sockets.hello_timeout", Duration.ofSeconds(1)));
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private Person person(String handle) {
    return ApiClient.person(nodes.port(0), handle, handle);
  }

  private ChatClient open(int node) {
    return ChatClient.open(nodes.vertx(), nodes.port(node));
  }

  private ChatClient hello(int node, String token) {
    return ChatClient.hello(nodes.vertx(), nodes.port(node), token);
  }

  private static JsonObject helloFrame() {
    return new JsonObject().put("type", "hello");
  }

  /// The socket ends with this code, and the client was told so before.
  private static void assertCloses(ChatClient client, int code, boolean resume) {
    assertThat((int) client.closeCode()).as("%s", client.frames()).isEqualTo(code);
    JsonObject goodbye = client.frames("goodbye").getLast();
    assertThat(goodbye.getInteger("code")).isEqualTo(code);
    assertThat(goodbye.getBoolean("resume")).isEqualTo(resume);
  }

  @Test
  void aSignInThatEndedBetweenUpgradeAndHelloIsNoneToGoOnBy() {
    Person person = person("leaver");
    ChatClient client =
        ChatClient.open(
            nodes.vertx(),
            ChatClient.endpoint(nodes.port(0))
                .addSubProtocol("confab.v1")
                .addHeader("authorization", "Bearer " + person.token()));
    person.at(nodes.port(0)).ok("DELETE", "/v1/tokens", null);
    client.request(helloFrame());
    assertCloses(client, 4401, true);
  }

  private Answer signIn(String handle, String password) {
    return ApiClient.stranger(nodes.port(0))
        .call(
            "POST", "/v1/tokens", new JsonObject().put("handle", handle).put("password", password));
  }

  private Answer refresh(int node, String token) {
    return ApiClient.stranger(nodes.port(node))
        .call("POST", "/v1/tokens/refresh", new JsonObject().put("refresh_token", token));
  }

  @Test
  void aWrongPasswordAndAnUnknownHandleLookTheSame() {
    person("real");
    Answer wrong = signIn("real", "not the password");
    Answer unknown = signIn("nobody", "not the password");
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.code()).isEqualTo("unauthorized");
    assertThat(unknown.status()).isEqualTo(401);
    assertThat(withoutRequestId(unknown)).isEqualTo(withoutRequestId(wrong));
    assertThat(signIn("REAL", "correct horse").status()).isEqualTo(200);
  }

  private static JsonObject withoutRequestId(Answer answer) {
    JsonObject body = answer.body().copy();
    assertThat(body.getJsonObject("error").remove("request_id")).isNotNull();
    return body;
  }

  @Test
  void aSpentRefreshTokenIsRepeatedUntilItsSuccessorIsUsedAndThenEndsTheSignInAndItsSocket() {
    Person person = person("rotating");
    ChatClient client = hello(1, person.token());
    JsonObject first = refresh(0, person.refreshToken()).body();
    String successor = first.getString("refresh_token");
    assertThat(successor).isNotNull().isNotEqualTo(person.refreshToken());
    for (int node : new int[] {1, 0, 1}) {
      Answer repeated = refresh(node, person.refreshToken());
      assertThat(repeated.status()).isEqualTo(200);
      assertThat(repeated.body().getString("refresh_token")).isEqualTo(successor);
    }
    assertThat(client.ask(new JsonObject().put("type", "ping")).getString("type"))
        .isEqualTo("pong");

    String third = refresh(0, successor).body().getString("refresh_token");
    assertThat(refresh(0, person.refreshToken()).code()).isEqualTo("unauthorized");
    assertCloses(client, 4501, false);
    assertThat(refresh(0, third).code()).isEqualTo("unauthorized");
    String access = first.getString("access_token");
    assertThat(open(0).ask(helloFrame().put("token", access)).getString("code"))
        .isEqualTo("unauthorized");
  }

  @Test
  void signingOutClosesTheSocketOfTheDeviceOnTheOtherNodeAndNoOther() {
    Person phone = person("leaver");
    Person laptop = ApiClient.signIn(nodes.port(0), "leaver", "laptop");
    ChatClient onPhone = hello(1, phone.token());
    ChatClient onLaptop = hello(1, laptop.token());
    phone.at(nodes.port(0)).ok("DELETE", "/v1/tokens", null);
    assertCloses(onPhone, 4501, false);
    assertThat(onLaptop.ask(new JsonObject().put("type", "ping")).getString("type"))
        .isEqualTo("pong");
    assertThat(phone.at(nodes.port(0)).call("GET", "/v1/me", null).status()).isEqualTo(401);
  }

  @Test
  void aTicketOpensOneSocket() {
    Person person = person("ticketed");
    JsonObject issued = person.at(nodes.port(0)).ok("POST", "/v1/tickets", null);
    JsonObject hello = helloFrame().put("ticket", issued.getString("ticket"));
    assertThat(open(1).ask(hello).getString("account_id")).isEqualTo(person.accountId());
    ChatClient second = open(0);
    assertThat(second.ask(hello).getString("code")).isEqualTo("unauthorized");
    assertCloses(second, 4401, true);
  }

  @Test
  void aBearerTokenOnTheUpgradeIsEnoughAndABadOneIsRefusedBeforeIt() {
    Person person = person("bearer");
    ChatClient client = ChatClient.open(nodes.vertx(), upgrade("Bearer " + person.token()));
    JsonObject welcome = client.ask(helloFrame());
    assertThat(welcome.getString("account_id")).isEqualTo(person.accountId());
    assertThat(welcome.getString("device_id")).isEqualTo(person.deviceId());
    for (String bad : List.of("Bearer " + person.token() + "x", "Bearer ", "Basic YTpi")) {
      assertThatThrownBy(() -> ChatClient.open(nodes.vertx(), upgrade(bad)))
          .rootCause()
          .isInstanceOfSatisfying(
              UpgradeRejectedException.class,
              rejected -> assertThat(rejected.getStatus()).isEqualTo(401));
    }
  }

  private WebSocketConnectOptions upgrade(String authorization) {
    WebSocketConnectOptions upgrade = ChatClient.endpoint(nodes.port(0));
    upgrade.addSubProtocol("confab.v1").addHeader("authorization", authorization);
    return upgrade;
  }

  @Test
  void aSecondSocketOfTheDeviceDisplacesTheFirstAcrossNodes() {
    Person person = person("twice");
    ChatClient first = hello(0, person.token());
    ChatClient second = hello(1, person.token());
    assertCloses(first, 4409, false);
    ChatClient third = hello(1, person.token());
    assertCloses(second, 4409, false);
    assertThat(third.ask(new JsonObject().put("type", "ping")).getString("type")).isEqualTo("pong");
  }

  @Test
  void aSecondHelloIsRefusedAndTheSocketStays() {
    Person person = person("greeter");
    ChatClient client = hello(0, person.token());
    JsonObject refused = client.ask(helloFrame().put("token", person.token()));
    assertThat(refused.getString("code")).isEqualTo("invalid_field");
    assertThat(refused.getString("field")).isEqualTo("type");
    assertThat(client.ask(new JsonObject().put("type", "ping")).getLong("ts")).isPositive();
  }

  @Test
  void helloComesFirst() {
    ChatClient client = open(0);
    client.raw(new JsonObject().put("type", "ping").encode());
    assertCloses(client, 4500, false);
    assertThat(client.frames("pong")).isEmpty();
  }

  @Test
  void aSocketThatDoesNotSayHelloIsClosed() {
    assertCloses(open(HASTY), 4401, true);
  }

  @Test
  void aBadTokenIsAnsweredAndTheSocketCloses() {
    ChatClient client = open(0);
    assertThat(client.ask(helloFrame().put("token", "nonsense")).getString("code"))
        .isEqualTo("unauthorized");
    assertCloses(client, 4401, true);
    ChatClient silent = open(0);
    assertThat(silent.ask(helloFrame()).getString("code")).isEqualTo("unauthorized");
    assertCloses(silent, 4401, true);
  }

  @Test
  void theSubprotocolMustBeOurs() {
    assertCloses(ChatClient.open(nodes.vertx(), ChatClient.endpoint(nodes.port(0))), 4503, false);
    WebSocketConnectOptions other = ChatClient.endpoint(nodes.port(0));
    other.addHeader("sec-websocket-protocol", "confab.v9");
    assertCloses(ChatClient.open(nodes.vertx(), other), 4503, false);
  }

  @Test
  void byeIsAnsweredByAnOrdinaryClose() {
    ChatClient client = hello(0, person("polite").token());
    client.raw(new JsonObject().put("type", "bye").encode());
    assertThat((int) client.closeCode()).isEqualTo(1000);
  }
}
