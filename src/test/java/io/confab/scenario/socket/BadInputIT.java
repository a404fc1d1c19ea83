package io.confab.scenario.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.contract.Contract;
import io.confab.contract.HttpContract.Exchange;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Bad input over the wire, one by one: each is answered with its code and its field, and after
/// each those who talk in the same room still hear each other, everything, once and in order.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputIT {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final String LONE_SURROGATE = "\\ud800";
  private static final byte[] RAW_SURROGATE = {(byte) 0xED, (byte) 0xA0, (byte) 0x80};

  private Nodes nodes;
  private Person offender;
  private ChatClient speaker;
  private ChatClient observer;
  private String room;
  private String group;
  private String channel;
  private int said;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    Person alice = person("alice");
    Person bob = person("bob");
    offender = person("mallory");
    room = alice.at(port()).channel("lobby");
    bob.at(port()).join(room);
    offender.at(port()).join(room);
    channel = alice.at(port()).channel("elsewhere");
    group =
        alice
            .at(port())
            .ok("POST", "/v1/rooms", new JsonObject().put("type", "group").put("name", "Friends"))
            .getString("room_id");
    speaker = ChatClient.live(nodes.vertx(), port(), alice.token());
    observer = ChatClient.live(nodes.vertx(), port(), bob.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// Whatever was tried: the others go on undisturbed.
  @AfterEach
  void theOthersHearEachOther() {
    String body = "still here " + said++;
    JsonObject ack = ChatClient.get(speaker.send(room, UUID.randomUUID().toString(), body));
    assertThat(ack.getString("type")).as("%s", ack).isEqualTo("message.ack");
    observer.awaitRev(room, ack.getLong("rev"));
    assertThat(observer.bodies(room).getLast()).isEqualTo(body);
    assertThat(observer.bodies(room)).hasSize(said);
    List<Long> revs = observer.events(room).stream().map(f -> f.getLong("rev")).toList();
    assertThat(revs)
        .isEqualTo(LongStream.rangeClosed(revs.getFirst(), revs.getLast()).boxed().toList());
    assertThat(observer.frames("error")).isEmpty();
    assertThat(speaker.frames("error")).isEmpty();
  }

  private int port() {
    return nodes.port(0);
  }

  private Person person(String handle) {
    return ApiClient.person(port(), handle, handle);
  }

  /// Fields of a send, ours or wrong, and how it is refused.
  private record Bad(String what, String fields, String code, @Nullable String field) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Bad bad(String what, String fields, String code, @Nullable String field) {
    return new Bad(what, fields, code, field);
  }

  /// What is wrong with a send whichever way it comes.
  static Stream<Bad> sends() {
    String deepest = "[".repeat(31) + "]".repeat(31);
    String tooDeep = "[".repeat(32) + "]".repeat(32);
    return Stream.of(
        bad("a name twice", "\"body\":\"x\",\"body\":\"x\"", "invalid_json", null),
        bad("33 deep", "\"body\":" + tooDeep, "invalid_json", null),
        bad("32 deep", "\"body\":" + deepest, "invalid_field", "body"),
        bad("101 digits", "\"body\":" + "1".repeat(101), "invalid_json", null),
        bad("100 digits", "\"body\":" + "1".repeat(100), "invalid_field", "body"),
        bad("a control character as it is", "\"body\":\"\u0001\"", "invalid_json", null),
        bad("a trailing comma", "\"body\":\"x\",", "invalid_json", null),
        bad("not a number", "\"body\":\"x\",\"reply_to\":NaN", "invalid_json", null),
        bad("no body", "\"msg_type\":\"text\"", "invalid_field", "body"),
        bad("null", "\"body\":null", "invalid_field", "body"),
        bad("an object for a string", "\"body\":{\"$ne\":1}", "invalid_field", "body"),
        bad("too large", "\"body\":\"" + "x".repeat(16_385) + "\"", "too_large", "body"),
        bad("too large in UTF-8", "\"body\":\"" + "é".repeat(8_193) + "\"", "too_large", "body"),
        bad("blank", "\"body\":\" \\n\\t\\u00a0\\u200b\"", "invalid_field", "body"),
        bad("empty", "\"body\":\"\"", "invalid_field", "body"),
        bad("half a pair", "\"body\":\"a" + LONE_SURROGATE + "\"", "invalid_field", "body"),
        bad("the other half", "\"body\":\"\\udc00b\"", "invalid_field", "body"),
        bad("NUL", "\"body\":\"a\\u0000b\"", "invalid_field", "body"),
        bad("a C1 control", "\"body\":\"a\\u0085b\"", "invalid_field", "body"),
        bad("an unknown field", "\"body\":\"x\",\"color\":1", "invalid_field", "color"),
        bad("system", "\"body\":\"x\",\"msg_type\":\"system\"", "invalid_field", "msg_type"),
        bad("an attachment", "\"body\":\"x\",\"msg_type\":\"image\"", "invalid_field", "msg_type"),
        bad("a fraction", "\"body\":\"x\",\"reply_to\":1.5", "invalid_field", "reply_to"),
        bad("beyond 64 bits", "\"body\":\"x\",\"reply_to\":1e30", "invalid_field", "reply_to"),
        bad("no such seq", "\"body\":\"x\",\"reply_to\":0", "invalid_field", "reply_to"),
        bad("bidi in a topic", "\"body\":\"x\",\"topic\":\"\\u202e\"", "invalid_field", "topic"),
        bad("a long topic", topic("t".repeat(81)), "invalid_field", "topic"));
  }

  private static String topic(String topic) {
    return "\"body\":\"x\",\"topic\":\"" + topic + "\"";
  }

  @ParameterizedTest
  @MethodSource("sends")
  void aBadSendOnTheSocketCostsItsSenderAnError(Bad bad) throws IOException {
    String send =
        "{\"type\":\"message.send\",\"id\":\"1\",\"client_id\":\"c\",\"room_id\":\"%s\",%s}"
            .formatted(room, bad.fields());
    assertRefusedOnSocket(send, bad.code(), bad.field());
  }

  @ParameterizedTest
  @MethodSource("sends")
  void aBadSendOverHttpCostsItsSenderAnError(Bad bad) {
    byte[] body =
        "{\"client_id\":\"c\",%s}".formatted(bad.fields()).getBytes(StandardCharsets.UTF_8);
    assertRefused(post(room, body), bad.code(), bad.field());
  }

  /// Other frames, told apart by what is wrong.
  private Stream<Bad> frames() {
    return Stream.of(
        bad("not JSON", "ping", "invalid_json", null),
        bad("nothing", "", "invalid_json", null),
        bad("cut off", "{\"type\":\"ping\"", "invalid_json", null),
        bad("a list", "[{\"type\":\"ping\"}]", "invalid_json", null),
        bad("a text", "\"ping\"", "invalid_json", null),
        bad("two of them", "{\"type\":\"ping\"}{\"type\":\"ping\"}", "invalid_json", null),
        bad("no type", "{\"id\":\"1\"}", "invalid_field", "type"),
        bad("a number as type", "{\"type\":7,\"id\":\"1\"}", "invalid_field", "type"),
        bad("an unknown type", "{\"type\":\"message.shout\",\"id\":\"1\"}", "unknown_type", "type"),
        bad("an unknown field", "{\"type\":\"ping\",\"id\":\"1\",\"to\":1}", "invalid_field", "to"),
        bad(
            "a long id",
            "{\"type\":\"ping\",\"id\":\"" + "i".repeat(65) + "\"}",
            "invalid_field",
            "id"),
        bad("an empty id", "{\"type\":\"ping\",\"id\":\"\"}", "invalid_field", "id"),
        bad(
            "a second hello",
            new JsonObject()
                .put("type", "hello")
                .put("id", "1")
                .put("token", offender.token())
                .encode(),
            "invalid_field",
            "type"),
        bad(
            "half a pair in a room's id",
            "{\"type\":\"message.send\",\"id\":\"1\",\"client_id\":\"c\",\"body\":\"x\","
                + "\"room_id\":\"\\ud800\"}",
            "invalid_field",
            "room_id"),
        bad(
            "a negative rev",
            "{\"type\":\"resume\",\"id\":\"1\",\"last\":false,\"rooms\":["
                + "{\"room_id\":\"a\",\"epoch\":1,\"rev\":0},"
                + "{\"room_id\":\"b\",\"epoch\":1,\"rev\":-1}]}",
            "invalid_field",
            "rooms[1].rev"));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aBadFrameCostsItsSenderAnError(Bad bad) throws IOException {
    assertRefusedOnSocket(bad.fields(), bad.code(), bad.field());
  }

  /// The frame is answered by an error, and the socket goes on.
  private void assertRefusedOnSocket(String frame, String code, @Nullable String field)
      throws IOException {
    try (RawSocket client = RawSocket.hello(port(), offender.token())) {
      client.text(frame);
      JsonObject error = client.answer();
      assertThat(error.getString("type")).as("%s", error).isEqualTo("error");
      assertThat(error.getString("code")).as("%s", error).isEqualTo(code);
      assertThat(error.getString("field")).as("%s", error).isEqualTo(field);
      assertThat(error.getBoolean("retryable")).isFalse();
      client.text("{\"type\":\"ping\",\"id\":\"2\"}");
      assertThat(client.answer().getString("re")).isEqualTo("2");
    }
  }

  @Test
  void whereOneIsNoMemberNothingIsSaid() throws IOException {
    for (List<String> elsewhere :
        List.of(
            List.of(group, "not_found"),
            List.of(channel, "forbidden"),
            List.of("0000000000000", "not_found"),
            List.of("no id", "not_found"))) {
      String send =
          new JsonObject()
              .put("type", "message.send")
              .put("id", "1")
              .put("client_id", "c")
              .put("room_id", elsewhere.getFirst())
              .put("body", "x")
              .encode();
      assertRefusedOnSocket(send, elsewhere.getLast(), null);
      if (!elsewhere.getFirst().contains(" ")) {
        byte[] body = "{\"client_id\":\"c\",\"body\":\"x\"}".getBytes(StandardCharsets.UTF_8);
        assertRefused(post(elsewhere.getFirst(), body), elsewhere.getLast(), null);
      }
    }
  }

  @Test
  void whatIsNotUtf8ClosesTheSocketAndIsInvalidOverHttp() throws IOException {
    byte[] text = "{\"client_id\":\"c\",\"body\":\"...\"}".getBytes(StandardCharsets.UTF_8);
    int at = new String(text, StandardCharsets.UTF_8).indexOf("...");
    System.arraycopy(RAW_SURROGATE, 0, text, at, RAW_SURROGATE.length);
    try (RawSocket client = RawSocket.hello(port(), offender.token())) {
      client.send(RawSocket.frame(RawSocket.LAST | RawSocket.TEXT, text));
      assertThat(client.closeCode()).isEqualTo(1007);
    }
    assertRefused(post(room, text), "invalid_json", null);
  }

  @Test
  void aBinaryFrameClosesTheSocket() throws IOException {
    try (RawSocket client = RawSocket.hello(port(), offender.token())) {
      client.send(RawSocket.frame(RawSocket.LAST | RawSocket.BINARY, "{\"type\":\"ping\"}"));
      assertThat(client.closeCode()).isEqualTo(4500);
    }
  }

  @Test
  void aCompressedFrameClosesTheSocketForNoCompressionIsAgreedOn() throws IOException {
    try (RawSocket client =
        RawSocket.connect(port(), "sec-websocket-extensions: permessage-deflate")) {
      assertThat(client.head().toLowerCase(Locale.ROOT)).doesNotContain("extensions");
      client.send(
          RawSocket.frame(
              RawSocket.LAST | RawSocket.COMPRESSED | RawSocket.TEXT,
              new byte[] {(byte) 0xAA, 0x56, 0x0A, 0x00}));
      assertThat(client.closeCode()).isEqualTo(1002);
    }
  }

  @Test
  void withoutAuthenticationNobodyGetsIn() throws IOException {
    assertHelloRefused("{\"type\":\"hello\",\"id\":\"1\"}", "unauthorized");
    assertHelloRefused("{\"type\":\"hello\",\"id\":\"1\",\"ticket\":\"guess\"}", "unauthorized");
    assertThat(ApiClient.stranger(port()).call("GET", "/v1/me", null).code())
        .isEqualTo("unauthorized");
  }

  /// Tokens whose header names another algorithm, or whose signature is not ours.
  private Stream<String> forged() {
    String[] parts = offender.token().split("\\.", -1);
    JsonObject header = new JsonObject(new String(decode(parts[0]), StandardCharsets.UTF_8));
    Stream<String> algorithms =
        Stream.of("none", "None", "NONE", "RS256", "ES256", "HS384", "HS512", "hs256", "")
            .map(algorithm -> encode(header.copy().put("alg", algorithm)));
    Stream<String> others =
        Stream.of(
            encode(header.copy().put("kid", "999999")),
            encode(header.copy().put("kid", new JsonArray())),
            encode(withoutKey(header)),
            "");
    return Stream.concat(
        Stream.concat(algorithms, others)
            .flatMap(
                head ->
                    Stream.of(head + "." + parts[1] + "." + parts[2], head + "." + parts[1] + ".")),
        Stream.of(
            parts[0] + "." + parts[1] + ".",
            parts[0] + "." + parts[1] + "." + parts[2].substring(1),
            parts[0] + "." + encode(new JsonObject().put("sub", "0")) + "." + parts[2],
            "x".repeat(4_000)));
  }

  private static JsonObject withoutKey(JsonObject header) {
    JsonObject without = header.copy();
    without.remove("kid");
    return without;
  }

  private static byte[] decode(String part) {
    return Base64.getUrlDecoder().decode(part);
  }

  private static String encode(JsonObject part) {
    byte[] bytes = part.encode().getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Test
  void aTokenOfAnotherAlgorithmOrSignatureIsNoToken() throws IOException {
    for (String token : forged().toList()) {
      assertHelloRefused(hello(token), "unauthorized");
      assertThat(call(token).statusCode()).as(token).isEqualTo(401);
      assertThat(upgradeStatus(token)).as(token).isEqualTo("401");
    }
  }

  private String upgradeStatus(String token) throws IOException {
    try (RawSocket client = RawSocket.connect(port(), "authorization: Bearer " + token)) {
      return String.valueOf(client.status());
    }
  }

  @Test
  void anExpiredTokenSaysSo() throws IOException {
    Config config = nodes.config();
    nodes.add(TestConfig.with(config, "accounts.access_token_ttl", Duration.ofSeconds(1)));
    String token = ApiClient.person(nodes.port(1), "early", "early").token();
    await().until(() -> call(token).body().contains("\"token_expired\""));
    assertHelloRefused(hello(token), "token_expired");
    assertThat(upgradeStatus(token)).isEqualTo("401");
  }

  private static String hello(String token) {
    return new JsonObject().put("type", "hello").put("id", "1").put("token", token).encode();
  }

  private void assertHelloRefused(String hello, String code) throws IOException {
    try (RawSocket client = RawSocket.connect(port())) {
      client.text(hello);
      JsonObject error = client.next();
      assertThat(error.getString("code")).as("%s to %s", error, hello).isEqualTo(code);
      assertThat(error.getString("re")).isEqualTo("1");
      assertThat(client.next().getString("type")).isEqualTo("goodbye");
      assertThat(client.closeCode()).isEqualTo(4401);
    }
  }

  private HttpResponse<String> call(String token) {
    return send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/v1/me"))
            .header("authorization", "Bearer " + token)
            .GET());
  }

  private HttpResponse<String> post(String roomId, byte[] body) {
    String path = "/v1/rooms/" + roomId + "/messages";
    return send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .header("authorization", "Bearer " + offender.token())
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      HttpRequest call = request.timeout(Duration.ofMinutes(1)).build();
      HttpResponse<String> answer = HTTP.send(call, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        Contract.saw(
            new Exchange(
                call.method(),
                call.uri().getPath(),
                null,
                answer.statusCode(),
                answer.headers().firstValue("content-type"),
                answer.body()));
      }
      return answer;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertRefused(
      HttpResponse<String> answer, String code, @Nullable String field) {
    JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
    assertThat(error.getString("code")).as("%s", error).isEqualTo(code);
    assertThat(error.getString("field")).as("%s", error).isEqualTo(field);
    assertThat(answer.statusCode()).isBetween(400, 499);
    assertThat(error.getString("request_id")).isNotBlank();
  }
}
