package io.confab.scenario.socket;

import static io.confab.testing.TestConfig.with;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.config.Rate;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.confab.testing.TestConfig;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rate limits as clients meet them, on two nodes behind a proxy. The rates are so slow that
/// nothing comes back during a test; addresses are those that the proxy tells.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitsIT {
  private final HttpClient http = HttpClient.newHttpClient();
  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    for (int i = 0; i < 2; i++) {
      nodes.add(slow(nodes.config()));
    }
  }

  private static Config slow(Config base) {
    Config behindProxy = with(base, "http.trusted_proxies", List.of("127.0.0.0/8"));
    return with(
        behindProxy,
        "rates",
        TestConfig.rates(
            Map.of(
                "sends", slow(30),
                "changes", slow(3),
                "rooms", slow(20),
                "signUps", slow(3),
                "upgrades", slow(6),
                "reads", slow(5),
                "frames", slow(100))));
  }

  private static Rate slow(int burst) {
    return new Rate(1, Duration.ofHours(1), burst);
  }

  @AfterAll
  void stop() {
    nodes.close();
    http.close();
  }

  private Person person(String handle) {
    assertThat(signUpFrom(0, handle, address())).isEqualTo(201);
    return ApiClient.signIn(nodes.port(0), handle, null);
  }

  private int addresses;

  /// One that nobody has used.
  private String address() {
    addresses++;
    return "198.51.100." + addresses;
  }

  private HttpResponse<String> post(int node, String path, JsonObject body, String forwarded) {
    try {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + nodes.port(node) + path))
              .timeout(Duration.ofMinutes(1))
              .header("content-type", "application/json")
              .header("x-forwarded-for", forwarded)
              .POST(HttpRequest.BodyPublishers.ofString(body.encode()))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private int signUpFrom(int node, String handle, String address) {
    JsonObject body = new JsonObject().put("handle", handle).put("password", ApiClient.PASSWORD);
    return post(node, "/v1/accounts", body, address).statusCode();
  }

  private HttpResponse<String> signIn(int node, String handle, String password, String address) {
    JsonObject body = new JsonObject().put("handle", handle).put("password", password);
    return post(node, "/v1/tokens", body, address);
  }

  private static JsonObject error(HttpResponse<String> answer) {
    return new JsonObject(answer.body()).getJsonObject("error");
  }

  @Test
  void signUpsAreLimitedByTheAddressThatTheProxySawOnBothNodesTogether() {
    String address = address();
    assertThat(signUpFrom(0, "first", address)).isEqualTo(201);
    assertThat(signUpFrom(0, "second", "1.1.1.1, " + address)).isEqualTo(201);
    assertThat(signUpFrom(0, "third", "2.2.2.2, " + address)).isEqualTo(201);
    HttpResponse<String> refused =
        post(
            0,
            "/v1/accounts",
            new JsonObject().put("handle", "fourth").put("password", ApiClient.PASSWORD),
            "3.3.3.3, " + address);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(error(refused).getString("code")).isEqualTo("rate_limited");
    assertThat(error(refused).getBoolean("retryable")).isTrue();
    assertThat(error(refused).getLong("retry_after_ms")).isBetween(3_000_000L, 3_600_000L);
    assertThat(Long.parseLong(refused.headers().firstValue("retry-after").orElseThrow()))
        .isBetween(3_000L, 3_600L);

    List<Integer> elsewhere = new ArrayList<>();
    await()
        .until(
            () -> {
              elsewhere.add(signUpFrom(1, "elsewhere" + elsewhere.size(), address));
              return elsewhere.getLast() == 429;
            });
    assertThat(elsewhere.size()).isLessThanOrEqualTo(4);
    assertThat(signUpFrom(0, "neighbour", address())).isEqualTo(201);
    assertThat(nodes.metrics(0))
        .containsPattern("confab_rate_limited_total\\{limit=\"sign_ups\"} [1-9]");
  }

  @Test
  void aSendBeyondTheLimitIsRefusedByFrameAndByHttpAndTheOthersKeepTheirOrder() {
    Person sender = person("sender");
    String room = sender.at(nodes.port(0)).channel("limited");
    ChatClient client = ChatClient.live(nodes.vertx(), nodes.port(0), sender.token());
    List<CompletableFuture<JsonObject>> answers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      answers.add(client.send(room, "m" + i, "hello"));
    }
    List<JsonObject> frames = answers.stream().map(ChatClient::get).toList();
    assertThat(frames.subList(0, 30))
        .allSatisfy(ack -> assertThat(ack.getString("type")).isEqualTo("message.ack"));
    assertThat(frames.subList(0, 30).stream().map(ack -> ack.getLong("seq"))).isSorted();
    for (int i = 30; i < 40; i++) {
      JsonObject refusal = frames.get(i);
      assertThat(refusal.getString("code")).isEqualTo("rate_limited");
      assertThat(refusal.getString("client_id")).isEqualTo("m" + i);
      assertThat(refusal.getBoolean("retryable")).isTrue();
      assertThat(refusal.getLong("retry_after_ms")).isPositive();
    }
    Answer byHttp =
        sender
            .at(nodes.port(0))
            .call(
                "POST",
                "/v1/rooms/" + room + "/messages",
                new JsonObject().put("client_id", "h").put("body", "hello"));
    assertThat(byHttp.status()).isEqualTo(429);

    Person other = person("other");
    other.at(nodes.port(0)).join(room);
    ChatClient others = ChatClient.live(nodes.vertx(), nodes.port(0), other.token());
    assertThat(ChatClient.get(others.send(room, "o", "hello")).getString("type"))
        .isEqualTo("message.ack");
  }

  @Test
  void editsReadsAndFramesHaveLimitsOfTheirOwn() {
    Person person = person("busy");
    String room = person.at(nodes.port(0)).channel("busy");
    ChatClient client = ChatClient.live(nodes.vertx(), nodes.port(0), person.token());
    long seq = ChatClient.get(client.send(room, "m", "hello")).getLong("seq");
    List<String> edits = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      edits.add(ChatClient.get(client.edit(room, seq, "e" + i, "v" + i)).getString("type"));
    }
    assertThat(edits).containsExactly("ok", "ok", "ok", "error");

    List<Integer> reads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      reads.add(person.at(nodes.port(0)).call("GET", "/v1/rooms", null).status());
    }
    assertThat(reads).containsExactly(200, 200, 200, 200, 200, 429);

    List<CompletableFuture<JsonObject>> pings = new ArrayList<>();
    for (int i = 0; i < 110; i++) {
      pings.add(client.request(new JsonObject().put("type", "ping")));
    }
    List<String> types = pings.stream().map(p -> ChatClient.get(p).getString("type")).toList();
    assertThat(types).contains("pong").endsWith("error");
  }

  static Stream<Named<byte[]>> whatCountsAsAFrame() {
    return Stream.of(
        Named.of("ping", RawSocket.frame(RawSocket.LAST | RawSocket.PING, "")),
        Named.of("pong", RawSocket.frame(RawSocket.LAST | RawSocket.PONG, "")),
        Named.of("no JSON", RawSocket.frame(RawSocket.LAST | RawSocket.TEXT, "no")));
  }

  @ParameterizedTest
  @MethodSource("whatCountsAsAFrame")
  void whateverASocketSaysIsAFrame(byte[] frame) {
    Person person = person("says" + addresses);
    try (RawSocket socket = RawSocket.hello(nodes.port(0), person.token())) {
      byte[][] flood = new byte[100][];
      Arrays.fill(flood, frame);
      socket.send(flood);
      socket.say(new JsonObject().put("type", "ping").put("id", "after"));
      JsonObject answer = socket.next();
      while (!"after".equals(answer.getString("re"))) {
        answer = socket.next();
      }
      assertThat(answer.getString("code")).isEqualTo("rate_limited");
    }
  }

  @Test
  void socketsOfOneAddressAreLimitedAndThoseOfAnotherAreNot() throws Exception {
    String address = address();
    for (int i = 0; i < 6; i++) {
      ChatClient.open(nodes.vertx(), from(address));
    }
    assertThat(upgradeRefusal(address)).isEqualTo(429);
    ChatClient.open(nodes.vertx(), from(address()));
  }

  private WebSocketConnectOptions from(String address) {
    return ChatClient.endpoint(nodes.port(1))
        .addSubProtocol("confab.v1")
        .addHeader("x-forwarded-for", "9.9.9.9, " + address);
  }

  private int upgradeRefusal(String address) throws InterruptedException, TimeoutException {
    try {
      nodes
          .vertx()
          .createWebSocketClient()
          .connect(from(address))
          .toCompletionStage()
          .toCompletableFuture()
          .get(60, TimeUnit.SECONDS);
      return 101;
    } catch (ExecutionException | CompletionException refused) {
      return ((UpgradeRejectedException) requireNonNull(refused.getCause())).getStatus();
    }
  }

  @Test
  void guessesWaitForLongerAndLongerAndTheOwnerGetsInFromElsewhere() {
    person("owner");
    String thief = address();
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      statuses.add(signIn(i % 2, "owner", "wrong guess " + i, thief).statusCode());
    }
    assertThat(statuses.subList(0, 5)).containsOnly(401);
    assertThat(statuses).contains(429);
    assertThat(signIn(0, "owner", ApiClient.PASSWORD, address()).statusCode()).isEqualTo(200);
  }

  @Test
  void aHandleThatDoesNotExistIsTreatedAlike() {
    person("exists");
    assertThat(guesses("exists")).isEqualTo(guesses("existsnot"));
  }

  /// The codes and messages of five tries.
  private List<String> guesses(String handle) {
    String address = address();
    List<String> said = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      JsonObject error = error(signIn(0, handle, "wrong guess", address));
      said.add(error.getString("code") + error.getString("message"));
    }
    return said;
  }
}
