package io.confab.scenario.socket;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.confab.config.Config;
import io.confab.operator.ManagementClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.confab.testing.LogLines;
import io.confab.testing.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A client asks for a socket and leaves before anybody knows whether it may have one.
@Timeout(120)
class GivenUpUpgradeIT {
  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
          + " AND datname = current_database()";

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itLeavesNothingInTheLog(boolean mayHaveIt) throws IOException, SQLException {
    try (Nodes nodes = new Nodes();
        LogLines log = new LogLines("ROOT")) {
      Config config = with(nodes.config(), "http.instances", 1);
      nodes.add(config);
      String good = bot(config);
      String token = mayHaveIt ? good : "confab-bot-of-nobody";
      String before = open(nodes);

      try (Connection connection = TestDatabase.connect(nodes.database().url());
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute("LOCK TABLE bot_token IN ACCESS EXCLUSIVE MODE");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), nodes.port(0))) {
          socket.getOutputStream().write(upgrade(token));
          await().until(() -> nodes.database().count(WAITING) > 0);
        }
        await().until(() -> open(nodes).equals(before));
        connection.commit();
      }

      try (RawSocket next = RawSocket.connect(nodes.port(0), "authorization: Bearer " + good)) {
        assertThat(next.head()).contains(" 101 ");
      }
      assertThat(log.atLeast(Level.WARN)).filteredOn(line -> !isOfAnotherMatter(line)).isEmpty();
    }
  }

  /// What the tests of the minute before left out of the log of this JVM, as a number, and that
  /// this machine is slow or stood still.
  private static boolean isOfAnotherMatter(String line) {
    return Stream.of(
            " more lines of ",
            "has been blocked for",
            "PostgreSQL did not answer for",
            "PostgreSQL answers on new connections only",
            "Redis is away")
        .anyMatch(line::contains);
  }

  private static String bot(Config config) throws IOException {
    try (ManagementClient client = ManagementClient.find(config.dataDir()).orElseThrow()) {
      return client
          .run("account.bot", JsonNodeFactory.instance.objectNode().put("handle", "robot"))
          .path("token")
          .asText();
    }
  }

  private static String open(Nodes nodes) {
    return nodes
        .metrics(0)
        .lines()
        .filter(line -> line.startsWith("confab_connections_open "))
        .findFirst()
        .orElseThrow();
  }

  private static byte[] upgrade(String token) {
    return """
    GET /v1/socket HTTP/1.1\r
    host: localhost\r
    connection: upgrade\r
    upgrade: websocket\r
    sec-websocket-version: 13\r
    sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r
    sec-websocket-protocol: confab.v1\r
    authorization: Bearer %s\r
    \r
    """
        .formatted(token)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
