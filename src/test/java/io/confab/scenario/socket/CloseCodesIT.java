package io.confab.scenario.socket;

import static io.confab.scenario.RawSocket.LAST;
import static io.confab.scenario.RawSocket.TEXT;
import static io.confab.scenario.RawSocket.frame;
import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.config.Config;
import io.confab.protocol.CloseCode;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.confab.scenario.RawSocket.Ending;
import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every way in which a server closes, over the wire.
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CloseCodesIT {
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofMinutes(1);

  /// Longer than a machine stands still.
  private static final Duration BEAT = Duration.ofSeconds(15);

  private Nodes nodes;

  /// Lets only one room come before `resume`.
  private Node strict;

  /// Waits short for `hello`.
  private Node brusque;

  /// Waits short for beats.
  private Node hasty;

  /// Waits short for fragments.
  private Node terse;

  /// Waits short for bytes to be taken.
  private Node pushing;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    Config oneRoom = with(nodes.config(), "limits.rooms_per_account", 1);
    strict = nodes.add(patient(oneRoom, LONG, LONG, LONG, LONG));
    brusque = nodes.add(patient(nodes.config(), SHORT, LONG, LONG, LONG));
    hasty = nodes.add(patient(nodes.config(), LONG, BEAT, LONG, LONG));
    terse = nodes.add(patient(nodes.config(), LONG, LONG, SHORT, LONG));
    pushing = nodes.add(patient(nodes.config(), LONG, LONG, LONG, SHORT));
  }

  private static Config patient(
      Config base, Duration hello, Duration beat, Duration fragments, Duration stall) {
    return with(
        base,
        "sockets",
        new Config.Sockets(
            hello,
            beat.dividedBy(3),
            beat,
            8_192,
            65_536,
            fragments,
            256,
            65_536,
            stall,
            SHORT,
            LONG));
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private Person person(String handle) {
    return ApiClient.person(nodes.port(0), handle, handle);
  }

  /// 4001 cannot be read by who takes nothing, 4003 needs a bug, 4502 comes with suspending.
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"TOO_SLOW", "INTERNAL", "SUSPENDED"})
  void eachCodeIsReached(CloseCode code) {
    Ending ending = provoke(code);
    assertThat(ending.code()).as("%s", ending).isEqualTo(code.code());
    if (code == CloseCode.NORMAL) {
      assertThat(ending.frames()).isEmpty();
      return;
    }
    JsonObject goodbye = ending.goodbye();
    assertThat(goodbye.getString("type")).isEqualTo("goodbye");
    assertThat(goodbye.getInteger("code")).isEqualTo(code.code());
    assertThat(goodbye.getString("reason")).isNotBlank();
    assertThat(goodbye.getBoolean("resume")).isEqualTo(code.resume());
    assertThat(goodbye.getLong("reconnect_after_ms"))
        .isBetween(0L, code.spread() ? LONG.toMillis() : 0);
  }

  private Ending provoke(CloseCode code) {
    return switch (code) {
      case NORMAL -> afterHello(new JsonObject().put("type", "bye").encode());
      case MALFORMED -> afterHello(frame(LAST | 3, ""));
      case NOT_UTF_8 -> afterHello(frame(LAST | TEXT, new byte[] {-1}));
      case TOO_LARGE -> afterHello(frame(LAST | TEXT, new byte[65_537]));
      case PROTOCOL -> afterHello(frame(LAST | 2, ""));
      case GOING_AWAY -> drained();
      case RESYNC -> crowded();
      case NO_BEAT -> silent();
      case AUTHENTICATE -> strangers(brusque.port());
      case DISPLACED -> displaced();
      case REVOKED -> revoked();
      case SUBPROTOCOL -> withoutSubprotocol();
      case TOO_SLOW, INTERNAL, SUSPENDED -> throw new AssertionError("not reached");
    };
  }

  private Ending afterHello(String text) {
    return afterHello(frame(LAST | TEXT, text));
  }

  private Ending afterHello(byte[] bytes) {
    try (RawSocket socket = RawSocket.hello(nodes.port(0), person("one").token())) {
      socket.send(bytes);
      return socket.ending();
    }
  }

  private Ending drained() {
    Node node = nodes.add(patient(nodes.config(), LONG, LONG, LONG, LONG));
    try (RawSocket socket = RawSocket.hello(node.port(), person("guest").token())) {
      node.close();
      return socket.ending();
    }
  }

  @Test
  void whenManyAreClosedTheyAreToldToComeBackAtDifferentTimes() {
    Node node = nodes.add(patient(nodes.config(), LONG, LONG, LONG, LONG));
    List<RawSocket> sockets =
        IntStream.range(0, 12)
            .mapToObj(i -> RawSocket.hello(node.port(), person("many" + i).token()))
            .toList();
    node.close();
    Set<Long> times =
        sockets.stream()
            .map(socket -> socket.ending().goodbye().getLong("reconnect_after_ms"))
            .collect(Collectors.toSet());
    sockets.forEach(RawSocket::close);
    assertThat(times).hasSizeGreaterThan(1).allMatch(ms -> ms >= 0 && ms <= LONG.toMillis());
  }

  /// Writing blocks once the server reads no more, until it cuts the connection.
  @Test
  @Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoTakesNothingIsCutOffAndCounted() {
    Person sender = person("deaf");
    String room = sender.at(pushing.port()).channel("deaf");
    try (RawSocket socket = RawSocket.withSmallBuffer(pushing.port(), sender.token())) {
      socket.say(new JsonObject().put("type", "resume").put("rooms", List.of()).put("last", true));
      assertThatThrownBy(() -> sendWithoutEnd(socket, room))
          .isInstanceOf(UncheckedIOException.class);
    }
    await().until(() -> Nodes.metrics(pushing).contains("confab_sockets_open 0.0"));
    assertThat(Nodes.metrics(pushing)).contains("confab_sockets_closed_total{code=\"4001\"} 1.0");
  }

  private static void sendWithoutEnd(RawSocket socket, String room) {
    String body = "x".repeat(16_000);
    for (int i = 0; i < 10_000; i++) {
      socket.say(
          new JsonObject()
              .put("type", "message.send")
              .put("room_id", room)
              .put("client_id", "m" + i)
              .put("body", body));
    }
  }

  private Ending crowded() {
    Person person = person("crowded");
    try (RawSocket socket = RawSocket.hello(strict.port(), person.token())) {
      for (int i = 0; i < 3; i++) {
        person.at(strict.port()).channel("crowd " + i);
      }
      return socket.ending();
    }
  }

  private Ending silent() {
    try (RawSocket socket = RawSocket.hello(hasty.port(), person("silent").token())) {
      return socket.ending();
    }
  }

  private static Ending strangers(int port) {
    try (RawSocket socket = RawSocket.connect(port)) {
      return socket.ending();
    }
  }

  private Ending displaced() {
    Person person = person("twin");
    try (RawSocket first = RawSocket.hello(nodes.port(0), person.token());
        RawSocket second = RawSocket.hello(strict.port(), person.token())) {
      Ending ending = first.ending();
      second.say(new JsonObject().put("type", "ping"));
      assertThat(second.next().getString("type")).isEqualTo("pong");
      return ending;
    }
  }

  private Ending revoked() {
    Person person = person("leaver");
    try (RawSocket socket = RawSocket.hello(strict.port(), person.token())) {
      person.at(nodes.port(0)).ok("DELETE", "/v1/tokens", null);
      return socket.ending();
    }
  }

  private Ending withoutSubprotocol() {
    try (RawSocket socket = RawSocket.withoutSubprotocol(nodes.port(0))) {
      assertThat(socket.status()).isEqualTo(101);
      return socket.ending();
    }
  }

  @Test
  void fragmentsWithoutAnEndCloseTheSocketEvenWithPingsBetweenThem() {
    try (RawSocket socket = RawSocket.hello(terse.port(), person("endless").token())) {
      socket.send(frame(TEXT, "{"), frame(LAST | RawSocket.PING, "still here"));
      Ending ending = socket.ending();
      assertThat(ending.code()).isEqualTo(4500);
      assertThat(ending.goodbye().getBoolean("resume")).isFalse();
    }
  }

  @Test
  void whoAnswersPingsIsAliveHoweverSilentElse() {
    ChatClient client = ChatClient.hello(nodes.vertx(), hasty.port(), person("quiet").token());
    try (RawSocket silent = RawSocket.hello(hasty.port(), person("mute").token())) {
      assertThat(silent.ending().code()).isEqualTo(4004);
    }
    assertThat(client.ask(new JsonObject().put("type", "ping")).getString("type"))
        .isEqualTo("pong");
  }

  @Test
  void anotherFrameBeforeHelloAndARefusedHelloCloseTheSocket() {
    try (RawSocket socket = RawSocket.connect(nodes.port(0))) {
      socket.say(new JsonObject().put("type", "token").put("token", "t"));
      assertThat(socket.ending().code()).isEqualTo(4500);
    }
    try (RawSocket socket = RawSocket.connect(nodes.port(0))) {
      socket.say(new JsonObject().put("type", "hello").put("token", "bad"));
      Ending ending = socket.ending();
      assertThat(ending.code()).isEqualTo(4401);
      assertThat(ending.frames().getFirst().getString("code")).isEqualTo("unauthorized");
    }
  }

  /// A client with a bug in its `hello` must not come back for ever.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"hello\",\"foo\":1,\"token\":\"t\"}",
        "{\"type\":\"hello\",\"token\":5}",
        "{\"type\":\"hello\",\"token\":\"t\",\"ticket\":\"x\"}",
        "{bad json"
      })
  void aHelloThatCannotBeReadIsAnsweredAndClosesTheSocketForGood(String hello) {
    try (RawSocket socket = RawSocket.connect(nodes.port(0))) {
      socket.text(hello);
      Ending ending = socket.ending();
      assertThat(ending.code()).as("%s", ending).isEqualTo(4500);
      assertThat(ending.frames().getFirst().getString("type")).isEqualTo("error");
      assertThat(ending.goodbye().getBoolean("resume")).isFalse();
    }
  }
}
