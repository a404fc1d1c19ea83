package io.confab.scenario.socket;

import static io.confab.scenario.RawSocket.CONTINUATION;
import static io.confab.scenario.RawSocket.LAST;
import static io.confab.scenario.RawSocket.PING;
import static io.confab.scenario.RawSocket.PONG;
import static io.confab.scenario.RawSocket.TEXT;
import static io.confab.scenario.RawSocket.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.confab.scenario.RawSocket.Ending;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a client can do wrong below JSON: each has its close code, a goodbye goes before it,
/// and everybody else on the node goes on.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadFramesIT {
  private static final int HELLO_BYTES = 8_192;
  private static final int FRAME_BYTES = 65_536;
  private static final JsonObject A_PING = new JsonObject().put("type", "ping");

  private Nodes nodes;
  private Person person;
  private ChatClient bystander;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    person = ApiClient.person(nodes.port(0), "rude", "Rude");
    Person other = ApiClient.person(nodes.port(0), "bystander", "Bystander");
    bystander = ChatClient.live(nodes.vertx(), nodes.port(0), other.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @AfterEach
  void everybodyElseGoesOn() {
    assertThat(bystander.ask(A_PING).getString("type")).isEqualTo("pong");
    assertThat(bystander.isClosed()).isFalse();
  }

  record Fault(String name, int code, byte[]... frames) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static byte[] hex(String bytes) {
    return HexFormat.of().parseHex(bytes);
  }

  private static byte[] ping(int length) {
    return frame(LAST | TEXT, padded(A_PING, length));
  }

  private static String padded(JsonObject frame, int length) {
    String text = frame.encode();
    return text + " ".repeat(length - text.length());
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault("a reserved bit, as compression would set it", 1002, frame(0xc1, "a")),
        new Fault("another reserved bit", 1002, frame(0x91, "a")),
        new Fault("a reserved data opcode", 1002, frame(LAST | 3, "a")),
        new Fault("a reserved control opcode", 1002, frame(LAST | 11, "a")),
        new Fault("no mask", 1002, hex("810161")),
        new Fault("a fragmented ping", 1002, frame(PING, "a")),
        new Fault("a long ping", 1002, frame(LAST | PING, new byte[126])),
        new Fault("a continuation of nothing", 1002, frame(LAST | CONTINUATION, "a")),
        new Fault("a message within another", 1002, frame(TEXT, "a"), frame(LAST | TEXT, "b")),
        new Fault("a close of one byte", 1002, frame(LAST | RawSocket.CLOSE, new byte[1])),
        new Fault("a close with a wrong code", 1002, frame(LAST | RawSocket.CLOSE, hex("03ed"))),
        new Fault("a length in a longer form", 1002, hex("81fe000100000000")),
        new Fault("bytes of no sense", 1002, hex("ffffffffffffffffffffffff")),
        new Fault("bad UTF-8", 1007, frame(LAST | TEXT, hex("7bff7d"))),
        new Fault("a surrogate in UTF-8", 1007, frame(LAST | TEXT, hex("22eda08022"))),
        new Fault("bad UTF-8 in a fragment", 1007, frame(TEXT, hex("7bff"))),
        new Fault(
            "UTF-8 that is cut off",
            1007,
            frame(TEXT, hex("22e2")),
            frame(LAST | CONTINUATION, hex("82"))),
        new Fault("bad UTF-8 in a close", 1007, frame(LAST | RawSocket.CLOSE, hex("03e8ff"))),
        new Fault("a large frame", 1009, ping(FRAME_BYTES + 1)),
        new Fault("the head of a huge frame", 1009, hex("81ff7fffffffffffffff00000000")),
        new Fault(
            "a large message of small frames",
            1009,
            frame(TEXT, new byte[FRAME_BYTES]),
            frame(CONTINUATION, "a")),
        new Fault("a binary frame", 4500, frame(LAST | 2, "a")),
        new Fault("a fragmented binary message", 4500, frame(2, "a"), frame(LAST, "b")),
        new Fault("the head of a large binary frame", 1009, hex("02ff000000000001000100000000")));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void isToldGoodbyeAndClosed(Fault fault) {
    try (RawSocket socket = RawSocket.hello(nodes.port(0), person.token())) {
      socket.send(fault.frames());
      assertEnds(socket.ending(), fault.code());
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void isToldGoodbyeAndClosedBeforeHelloToo(Fault fault) {
    try (RawSocket socket = RawSocket.connect(nodes.port(0))) {
      socket.send(fault.frames());
      assertEnds(socket.ending(), fault.code());
    }
  }

  private static void assertEnds(Ending ending, int code) {
    assertThat(ending.code()).as("%s", ending).isEqualTo(code);
    assertThat(ending.goodbye().getString("type")).isEqualTo("goodbye");
    assertThat(ending.goodbye().getInteger("code")).isEqualTo(code);
    assertThat(ending.goodbye().getBoolean("resume")).isFalse();
    assertThat(ending.goodbye().getLong("reconnect_after_ms")).isZero();
  }

  @Test
  void untilHelloAFrameIsSmall() {
    JsonObject hello = new JsonObject().put("type", "hello").put("token", person.token());
    try (RawSocket socket = RawSocket.connect(nodes.port(0))) {
      socket.send(frame(LAST | TEXT, padded(hello, HELLO_BYTES)));
      assertThat(socket.next().getString("type")).isEqualTo("welcome");
      socket.send(ping(FRAME_BYTES));
      assertThat(socket.next().getString("type")).isEqualTo("pong");
    }
    try (RawSocket socket = RawSocket.connect(nodes.port(0))) {
      byte[] large = frame(LAST | TEXT, padded(hello, HELLO_BYTES + 1));
      socket.send(Arrays.copyOf(large, 8));
      assertEnds(socket.ending(), 1009);
    }
  }

  @Test
  void aMessageMayComeInFragmentsWithPingsBetweenThem() {
    try (RawSocket socket = RawSocket.hello(nodes.port(0), person.token())) {
      String text = A_PING.encode();
      socket.send(
          frame(TEXT, text.substring(0, 3)),
          frame(LAST | PING, "one"),
          frame(CONTINUATION, ""),
          frame(CONTINUATION, text.substring(3, 8)),
          frame(LAST | PING, "two"),
          frame(LAST | CONTINUATION, text.substring(8)));
      assertThat(socket.next(PONG)).isEqualTo("one".getBytes(StandardCharsets.UTF_8));
      assertThat(socket.next(PONG)).isEqualTo("two".getBytes(StandardCharsets.UTF_8));
      assertThat(socket.next().getString("type")).isEqualTo("pong");
    }
  }

  @Test
  void aFrameMayComeByteByByte() {
    try (RawSocket socket = RawSocket.hello(nodes.port(0), person.token())) {
      for (byte one : ping(300)) {
        socket.send(new byte[] {one});
      }
      assertThat(socket.next().getString("type")).isEqualTo("pong");
    }
  }

  @Test
  void whoeverAsksForCompressionGetsNoneAndMayNotUseIt() {
    try (RawSocket socket =
        RawSocket.connect(
            nodes.port(0),
            "sec-websocket-extensions: permessage-deflate, x-webkit-deflate-frame")) {
      assertThat(socket.status()).isEqualTo(101);
      assertThat(socket.head().toLowerCase(Locale.ROOT)).doesNotContain("extensions");
      socket.send(frame(0xc1, hex("ab562a2ec92f4a55b252ca48cdc9c95750aa0500")));
      assertEnds(socket.ending(), 1002);
    }
  }

  @Test
  void theCloseOfAClientIsAnsweredWithItsCode() {
    for (String code : List.of("03e8", "0bb8", "1387")) {
      try (RawSocket socket = RawSocket.hello(nodes.port(0), person.token())) {
        socket.send(frame(LAST | RawSocket.CLOSE, hex(code)));
        Ending ending = socket.ending();
        assertThat(ending.code()).isEqualTo(Integer.parseInt(code, 16));
        assertThat(ending.frames()).isEmpty();
      }
    }
  }
}
