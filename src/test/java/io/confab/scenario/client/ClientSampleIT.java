package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.client.ChatMessage;
import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.CredentialStore;
import io.confab.client.HistoryPage;
import io.confab.client.HistoryQuery;
import io.confab.client.PendingSend;
import io.confab.client.RoomUpdate;
import io.confab.client.SentMessage;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.scenario.Nodes;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The sample code of `docs/client.md` does what it says.
@Timeout(240)
class ClientSampleIT {
  @Test
  void theSampleTalks() {
    try (Nodes nodes = Nodes.start(1)) {
      Vertx vertx = nodes.vertx();
      List<URI> servers = List.of(URI.create("http://127.0.0.1:" + nodes.port(0)));
      Secret password = new Secret("correct horse");
      List<String> shown = new CopyOnWriteArrayList<>();
      // the sample begins
      ConfabApi api = new ConfabApi(vertx, servers, CredentialStore.memory());
      api.signUp("ada", password, "Ada").await();
      api.signIn("ada", password, new DeviceInfo(null, "laptop", "linux")).await();
      RoomId lobby = api.createChannel("lobby", "Everybody").await().roomId();

      ConfabClient client = new ConfabClient(api, ClientOptions.usual(), new ClientListener() {});
      Disposable reading =
          client
              .updates(lobby)
              .ofType(RoomUpdate.Said.class)
              .subscribe(said -> shown.add(said.message().body()));
      client.connect().await();
      PendingSend send = client.send(lobby, "Hello, everybody.");
      SentMessage stored = send.sent().await();
      HistoryPage page = api.history(lobby, HistoryQuery.newest()).await();
      // the sample goes on when it was heard
      await().untilAsserted(() -> assertThat(shown).containsExactly("Hello, everybody."));
      reading.dispose();
      client.close().await();
      // the sample ends
      assertThat(page.messages()).extracting(ChatMessage::seq).containsExactly(stored.seq());
    }
  }

  @Test
  void theSampleInTheDocumentIsTheOneThatRuns() throws IOException {
    String document = Files.readString(Path.of("docs/client.md"));
    String sample = document.substring(document.indexOf("```java") + 7);
    String here =
        Files.readString(Path.of("src/test/java/io/confab/scenario/client/ClientSampleIT.java"));
    String run =
        here.substring(
            here.indexOf("// the sample begins"), here.indexOf("      // the sample ends"));
    assertThat(code(run)).isEqualTo(code(sample.substring(0, sample.indexOf("```"))));
  }

  /// Without indentation, comments, and what waits for the listener.
  private static String code(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("//") && !line.startsWith("await()"))
        .collect(Collectors.joining("\n"));
  }
}
