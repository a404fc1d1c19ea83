package io.confab.scenario.client;

import static io.confab.testing.TestConfig.with;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.client.AccountState;
import io.confab.client.Additions;
import io.confab.client.Administration;
import io.confab.client.AuditEntry;
import io.confab.client.Ban;
import io.confab.client.BotToken;
import io.confab.client.ChatMessage;
import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.CredentialStore;
import io.confab.client.Credentials;
import io.confab.client.HistoryPage;
import io.confab.client.HistoryQuery;
import io.confab.client.Invite;
import io.confab.client.MadeAccount;
import io.confab.client.NewAccount;
import io.confab.client.PendingSend;
import io.confab.client.RoomKeeping;
import io.confab.client.RoomUpdate;
import io.confab.client.SentMessage;
import io.confab.protocol.AccountId;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The sample code of `docs/client.md` does what it says.
@Timeout(240)
class ClientSampleIT {
  private static final Pattern SAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void theSampleTalks() {
    Secret apiKey = new Secret("an-api-key-that-makes-bots-0123456789");
    try (Nodes nodes = Nodes.start(0)) {
      nodes.add(with(nodes.config(), "api_key", Optional.of(apiKey)));
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

      Administration backend = api.administration(apiKey);
      BotToken bot = backend.bot("weather", "Weather").await();
      Additions added = api.add(lobby, List.of(bot.accountId())).await();
      List<AccountState> all = backend.accounts().await();

      List<MadeAccount> made =
          backend.create(List.of(new NewAccount("ben", "Ben", null, null))).await();
      AccountId ben = api.account("ben").await().orElseThrow().accountId();
      Credentials phone = backend.signIn(ben, new DeviceInfo(null, "phone", "android")).await();

      RoomKeeping keeping = api.keeping(lobby);
      keeping.ban(ben, "advertising").await();
      List<Ban> bans = keeping.bans().await();
      keeping.unban(ben).await();
      String code = keeping.invite(Duration.ofDays(1), 1L).await();
      List<Invite> open = keeping.invites().await();
      List<AuditEntry> audit = keeping.audit().await();
      // the sample ends
      assertThat(added.members()).extracting(Additions.Added::error).containsOnlyNulls();
      assertThat(all).extracting(AccountState::handle).containsExactlyInAnyOrder("ada", "weather");
      assertThat(made).singleElement().returns(ben, MadeAccount::accountId);
      assertThat(phone.accountId()).isEqualTo(ben);
      assertThat(bans).singleElement().returns("advertising", Ban::reason);
      assertThat(code).isNotBlank();
      assertThat(open).singleElement().returns(1L, Invite::maxUses);
      assertThat(audit).extracting(AuditEntry::action).contains("member.banned");
      assertThat(page.messages()).extracting(ChatMessage::seq).containsExactly(stored.seq());
    }
  }

  @Test
  void theSampleInTheDocumentIsTheOneThatRuns() throws IOException {
    String document = Files.readString(Path.of("docs/client.md"));
    String sample =
        SAMPLE.matcher(document).results().map(found -> found.group(1)).collect(joining());
    String here =
        Files.readString(Path.of("src/test/java/io/confab/scenario/client/ClientSampleIT.java"));
    String run =
        here.substring(
            here.indexOf("// the sample begins"), here.indexOf("      // the sample ends"));
    assertThat(code(run)).isEqualTo(code(sample));
  }

  /// Without indentation, comments, and what waits for the listener.
  private static String code(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("//") && !line.startsWith("await()"))
        .collect(joining("\n"));
  }
}
