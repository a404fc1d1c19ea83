package io.confab.scenario.account;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Somebody exports a room, reads slowly, and loses the right to it in the middle.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndedExportIT {
  private static final String KEY = "k".repeat(40);

  /// Much more than the kernel holds for a connection.
  private static final int MESSAGES = 900;

  private static final String BODY = "x".repeat(16_000);

  private final Nodes nodes = new Nodes();
  private Person owner;
  private String room;
  private int people;

  enum Loss {
    NOTHING,
    SIGNED_OUT,
    SIGNED_IN_ANEW,
    SUSPENDED,
    REMOVED_FROM_THE_ROOM
  }

  @BeforeAll
  void start() {
    nodes.add(patient());
    nodes.add(with(patient(), "accounts.access_token_ttl", Duration.ofSeconds(3)));
    owner = ApiClient.person(nodes.port(0), "owner", "Owner");
    room = owner.at(nodes.port(0)).channel("long");
    ChatClient client = ChatClient.live(nodes.vertx(), nodes.port(0), owner.token());
    List<CompletableFuture<JsonObject>> sent = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      sent.add(client.send(room, "m" + i, BODY));
      if (i % 50 == 49) {
        sent.forEach(ChatClient::get);
      }
    }
    client.cut();
  }

  private Config patient() {
    return with(
        with(nodes.config(), "api_key", Optional.of(new Secret(KEY))),
        "sockets.stall_timeout",
        Duration.ofMinutes(5));
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @ParameterizedTest
  @CsvSource({
    "NOTHING, false",
    "NOTHING, true",
    "SIGNED_OUT, false",
    "SIGNED_OUT, true",
    "SIGNED_IN_ANEW, true",
    "SUSPENDED, false",
    "SUSPENDED, true",
    "REMOVED_FROM_THE_ROOM, false",
    "REMOVED_FROM_THE_ROOM, true"
  })
  void anExportEndsWithTheRightItBeganWith(Loss loss, boolean tokenExpires) throws IOException {
    int node = tokenExpires ? 1 : 0;
    Person known = ApiClient.person(nodes.port(node), "reader" + ++people, "Reader");
    owner
        .at(nodes.port(0))
        .ok("PUT", "/v1/rooms/" + room + "/members/" + known.accountId(), new JsonObject());
    Person other = known.onAnotherDevice(nodes.port(0));

    try (Export export = begin(nodes.port(node), known)) {
      if (tokenExpires) {
        await().until(() -> hasExpired(node, export.reader()));
      }
      lose(loss, export.reader(), other);
      String rest = export.rest();

      assertThat(rest.contains("{\"end\":true")).isEqualTo(loss == Loss.NOTHING);
    }
  }

  /// An export under way.
  private record Export(Person reader, Socket socket) implements AutoCloseable {
    /// The first bytes of it.
    String begin() throws IOException {
      return new String(socket.getInputStream().readNBytes(1_000), StandardCharsets.ISO_8859_1);
    }

    String rest() throws IOException {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /// Begins with a sign-in that was made just before, and once more with another one if the machine
  /// stood still until its token had expired.
  private Export begin(int port, Person known) throws IOException {
    while (true) {
      Person reader = ApiClient.signIn(port, known.handle(), known.deviceId());
      Export export = new Export(reader, export(port, reader));
      if (export.begin().startsWith("HTTP/1.1 200")) {
        return export;
      }
      export.close();
    }
  }

  private Socket export(int port, Person reader) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4_096);
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    String request =
        "GET /v1/rooms/%s/export HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer %s\r\n\r\n"
            .formatted(room, reader.token());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private boolean hasExpired(int node, Person reader) {
    var answer = reader.at(nodes.port(node)).call("GET", "/v1/me", null);
    return answer.status() == 401 && answer.code().equals("token_expired");
  }

  /// What ends the right, by somebody whose own right stands.
  private void lose(Loss loss, Person reader, Person other) {
    switch (loss) {
      case NOTHING -> {}
      case SIGNED_IN_ANEW -> ApiClient.signIn(nodes.port(0), reader.handle(), reader.deviceId());
      case SIGNED_OUT ->
          other.at(nodes.port(0)).ok("DELETE", "/v1/devices/" + reader.deviceId(), null);
      case SUSPENDED ->
          ApiClient.withHeaders(nodes.port(0), Map.of("authorization", "Key " + KEY))
              .ok("POST", "/v1/admin/accounts/" + reader.accountId() + "/suspend", null);
      case REMOVED_FROM_THE_ROOM ->
          owner
              .at(nodes.port(0))
              .ok("DELETE", "/v1/rooms/" + room + "/members/" + reader.accountId(), null);
    }
  }
}
