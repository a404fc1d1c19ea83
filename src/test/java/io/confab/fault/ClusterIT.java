package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.testing.ListeningSockets;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// `scripts/cluster`: a node dies and comes back while people talk, and everything ends together.
@ExtendWith(VertxExtension.class)
@Timeout(500)
class ClusterIT {

  @Test
  void aKilledNodeComesBackAndPeopleOnBothNodesSeeAllThatWasSaid(
      Vertx vertx, @TempDir Path folder, @TempDir Path config) throws IOException {
    try (ClusterProcess cluster = ClusterProcess.start(2, folder)) {
      Person ada = ApiClient.person(cluster.port(1), "ada", "Ada");
      Person ben = ApiClient.person(cluster.port(2), "ben", "Ben");
      String room = ada.at(cluster.port(1)).channel("lobby");
      ben.at(cluster.port(2)).join(room);
      ChatClient a = ChatClient.live(vertx, cluster.port(1), ada.token());
      ChatClient b = ChatClient.live(vertx, cluster.port(2), ben.token());

      ChatClient.get(b.send(room, "b-1", "from the second node"));
      a.awaitRev(room, rev(ChatClient.get(a.send(room, "a-1", "from the first node"))));
      assertThat(bodies(a, room)).containsExactly("from the second node", "from the first node");

      long killed = cluster.pid(2);
      NodeProcess.kill(ProcessHandle.of(killed).orElseThrow());
      JsonObject meanwhile = ChatClient.get(a.send(room, "a-2", "while it was away"));
      a.awaitRev(room, rev(meanwhile));
      await().until(() -> cluster.pid(2) != killed);

      Jar.Result chat =
          Jar.run(
              Map.of("XDG_CONFIG_HOME", config.toString(), "CONFAB_PASSWORD", "correct horse"),
              "back again\n",
              List.of(
                  "chat",
                  "--server",
                  "http://127.0.0.1:" + cluster.port(2) + ",http://127.0.0.1:" + cluster.port(1),
                  "--as",
                  "ben",
                  "--room",
                  "lobby"));
      assertThat(chat).returns(0, Jar.Result::exit);
      String history = "/v1/rooms/" + room + "/messages";
      assertThat(ben.at(cluster.port(2)).ok("GET", history, null).encode())
          .contains("while it was away", "back again");
      await().until(() -> bodies(a, room).contains("back again"));
      assertThat(bodies(a, room))
          .containsExactly(
              "from the second node", "from the first node", "while it was away", "back again");

      List<ProcessHandle> family = cluster.family();
      assertThat(family).hasSizeGreaterThan(6);
      await("four ports a node, those of PostgreSQL and Redis")
          .untilAsserted(() -> assertThat(listening(family)).hasSize(2 * 4 + 2));
      Set<InetSocketAddress> listening = listening(family);
      assertThat(listening)
          .extracting(InetSocketAddress::getAddress)
          .containsOnly(InetAddress.ofLiteral("127.0.0.1"));
      assertThat(listening)
          .extracting(InetSocketAddress::getPort)
          .contains(
              cluster.port(1),
              cluster.port(1) + 1,
              cluster.port(1) + 2,
              cluster.port(2),
              cluster.port(2) + 1,
              cluster.port(2) + 2);
      assertThat(cluster.terminate()).isEqualTo(143);
      await().until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
      // besides the family there are processes that began later, such as the watchdog's last pause
      await().until(() -> NodeProcess.workingIn(folder).isEmpty());
    }
  }

  @Test
  void whatNoNodeCouldStartWithIsRefusedBeforeAnythingIsStarted(@TempDir Path folder) {
    Jar.Result refused =
        Jar.run(
            Map.of(
                "CONFAB_HTTP_TLS_MODE",
                "files",
                "CONFAB_HTTP_TLS_CERTIFICATE",
                "/none.crt",
                "CONFAB_HTTP_TLS_KEY",
                "/none.key"),
            "",
            List.of("cluster", "2", "--data-dir", folder.resolve("data").toString()));

    assertThat(refused).returns(2, Jar.Result::exit);
    assertThat(refused.err()).contains("http.tls.certificate", "/none.crt");
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void nothingOutlivesTheScriptWhenItIsKilled(@TempDir Path folder) {
    try (ClusterProcess cluster = ClusterProcess.start(1, folder)) {
      List<ProcessHandle> family = cluster.family();

      cluster.kill();

      await().until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
      await().until(() -> NodeProcess.workingIn(folder).isEmpty());
    }
  }

  private static Set<InetSocketAddress> listening(List<ProcessHandle> family) throws IOException {
    Set<InetSocketAddress> addresses = new HashSet<>();
    for (ProcessHandle process : family) {
      try {
        addresses.addAll(ListeningSockets.ofProcess(process.pid()));
      } catch (NoSuchFileException _) {
        // it has ended meanwhile
      }
    }
    return addresses;
  }

  private static long rev(JsonObject ack) {
    return ack.getLong("rev");
  }

  private static List<String> bodies(ChatClient client, String room) {
    return client.events(room).stream()
        .filter(event -> "message.receive".equals(event.getString("type")))
        .map(event -> event.getString("body"))
        .toList();
  }
}
