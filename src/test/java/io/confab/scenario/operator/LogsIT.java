package io.confab.scenario.operator;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.RawSocket;
import io.confab.testing.LogLines;
import io.confab.testing.Position;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a node tells of its start, its requests and its stop.
@Timeout(120)
class LogsIT {
  private final Nodes nodes = new Nodes();
  private final LogLines access = new LogLines("access");
  private final LogLines steps = new LogLines("io.confab");

  @AfterEach
  void stop() {
    access.close();
    steps.close();
    nodes.close();
  }

  /// Without names and times.
  private List<String> steps() {
    return steps.lines().stream()
        .map(line -> line.replaceFirst("(Starting node|Started in|Drained in|Stopped in) .*", "$1"))
        .toList();
  }

  @Test
  void startAndStopSayWhatTheyWaitFor() {
    Node node = nodes.add(nodes.config());
    assertThat(steps())
        .containsSubsequence(
            "INFO Starting node",
            "INFO Waiting for the data folder",
            "INFO Waiting for the schema of the database",
            "INFO Waiting for PostgreSQL to answer",
            "INFO Waiting for the management port",
            "INFO Started in");

    ChatClient.open(nodes.vertx(), node.port()); // closes when it is asked to, and so at once
    await().until(() -> Nodes.metrics(node).contains("confab_sockets_open 1.0"));
    node.close();
    assertThat(steps())
        .containsSubsequence(
            "INFO Stopping clients",
            "INFO Draining 1 sockets and the requests under way",
            "INFO Drained in",
            "INFO Stopping management",
            "INFO Stopping the listener",
            "INFO Stopping routing",
            "INFO Stopping redis",
            "INFO Stopping database",
            "INFO Stopping servers",
            "INFO Stopped in");
    assertThat(steps.lines())
        .anyMatch(line -> line.startsWith("INFO Drained in ") && line.endsWith(", 0 sockets left"));
    assertThat(steps.lines().stream().filter("INFO Stopping routing"::equals)).hasSize(1);
  }

  @Test
  @Position("http.access_log: true")
  void requestsAndUpgradesHaveALineWithWhoCalled() {
    Config config = with(nodes.config(), "http.access_log", true);
    Node node = nodes.add(with(config, "http.origins", List.of("https://chat.example")));
    Person ann = ApiClient.person(node.port(), "ann", "Ann");
    assertThat(ann.at(node.port()).call("GET", "/v1/rooms", null).status()).isEqualTo(200);
    try (RawSocket page = RawSocket.connect(node.port(), "origin: https://evil.test");
        RawSocket socket = RawSocket.connect(node.port())) {
      assertThat(page.status()).isEqualTo(403);
      assertThat(socket.status()).isEqualTo(101);
    }

    await().until(() -> access.lines().size() >= 5);
    assertThat(access.lines())
        .anyMatch(line -> line.startsWith("INFO request method=POST route=/v1/accounts status=201"))
        .anyMatch(
            line ->
                line.startsWith("INFO request method=GET route=/v1/rooms status=200")
                    && line.contains(" account=" + ann.accountId() + " request_id="))
        .anyMatch(line -> line.contains("route=/v1/socket status=403"))
        .anyMatch(line -> line.contains("route=/v1/socket status=101"));
  }

  @Test
  @Position("http.access_log: false")
  void whereItIsSwitchedOffThereIsNoAccessLog() {
    Node silent = nodes.add(with(nodes.config(), "http.access_log", false));
    Node other = nodes.add(with(nodes.config(), "http.access_log", true));
    ApiClient.person(silent.port(), "ann", "Ann");
    silent.close();
    ApiClient.person(other.port(), "ben", "Ben");
    other.close();

    assertThat(access.lines())
        .hasSize(2)
        .anyMatch(line -> line.contains(" route=/v1/accounts status=201"))
        .anyMatch(line -> line.contains(" route=/v1/tokens status=200"));
  }
}
