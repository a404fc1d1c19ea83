package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.confab.fault.NodeProcess;
import io.confab.fault.WithoutLimits;
import io.confab.testing.Ports;
import io.confab.testing.TempFolders;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.confab.testing.proxy.TcpProxy.Conduct;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What becomes of what people write while the network, the page or the server goes and comes back.
/// Alice reaches the server over a line of her own.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutageBrowserIT {
  /// How many sends a client keeps that are not stored yet.
  private static final int OUTBOX = 1_000;

  private static final int MOST_OF_A_PAGE = 300;

  /// Writes and sends so many messages, as fast as the page takes them.
  private static final String FILL =
      """
      async (count) => {
        const box = document.getElementById('composer');
        for (let i = 1; i <= count; i++) {
          box.value = `full ${i}`;
          box.dispatchEvent(new Event('input', { bubbles: true }));
          box.form.requestSubmit();
          if (i % 100 === 0) await new Promise(requestAnimationFrame);
        }
      }""";

  private final Path folder = TempFolders.create("confab-outage");
  private final int port = Ports.freeRun(1);
  private final TcpProxy line = TcpProxy.before("http://127.0.0.1:" + port, Filter::none);
  private NodeProcess node;
  private Chromium chromium;
  private Profile alices;
  private Profile bobs;
  private ChatPage alice;
  private ChatPage bob;

  @BeforeAll
  void start() {
    node = startNode();
    chromium = Chromium.start();
    alices = chromium.profile("http://localhost:" + line.port());
    bobs = chromium.profile("http://localhost:" + port);
    alice = alices.open("/").signUp("alice", "Alice");
    alice.createRoom("Channel", "Harbour");
    bob = bobs.open("/" + "#/rooms/" + alice.openRoom()).signUp("bob", "Bob");
    bob.named(AriaRole.MAIN, "", false).getByText("Join").click();
    assertThat(bob.log("Harbour")).isVisible();
  }

  private NodeProcess startNode() {
    Map<String, String> variables = new HashMap<>(WithoutLimits.variables());
    variables.put("CONFAB_HTTP_ORIGINS", "own,http://localhost:" + line.port());
    return NodeProcess.start(folder, port, variables);
  }

  @AfterAll
  void stop() {
    chromium.close();
    node.close();
    line.close();
    TempFolders.delete(folder);
  }

  private static List<String> lines(String what, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> what + " " + i).toList();
  }

  /// All of it is there, in its order, once, for both.
  private void arrives(String what, int count) {
    for (ChatPage reader : List.of(alice, bob)) {
      assertThat(reader.message(what + " " + count)).isVisible();
      await()
          .untilAsserted(
              () ->
                  assertThat(reader.bodies().stream().filter(body -> body.startsWith(what + " ")))
                      .isEqualTo(lines(what, count)));
    }
    assertThat(alice.connectionBar()).hasCount(0);
    assertThat(alices.faults()).isEmpty();
    assertThat(bobs.faults()).isEmpty();
  }

  @Test
  void whatIsWrittenWithoutANetworkOutlivesAReloadAndIsSentInItsOrder() {
    line.conduct(Conduct.REFUSE);
    alices.offline(true);
    lines("offline", 6).forEach(alice::say);
    assertThat(alice.connectionBar()).isVisible();
    alice.page().reload();
    assertThat(alice.log("Harbour")).isVisible();
    await()
        .untilAsserted(() -> assertThat(alice.bodies()).containsSubsequence(lines("offline", 6)));
    bob.say("meanwhile");
    line.heal();
    alices.offline(false);

    arrives("offline", 6);
    assertThat(alice.state("offline 6", "Read")).isVisible();
    assertThat(alice.message("meanwhile")).isVisible();
    assertThat(bob.bodies().indexOf("meanwhile")).isLessThan(bob.bodies().indexOf("offline 1"));
    assertThat(alice.bodies()).isEqualTo(bob.bodies());
  }

  @Test
  void anOutboxThatIsFullRefusesInWordsAndSendsWhatItHasInItsOrder() {
    line.conduct(Conduct.REFUSE);
    alices.offline(true);
    alice.page().evaluate(FILL, OUTBOX + 2);
    String refused = "Too many messages wait to be sent. Retry when they are on their way.";
    for (int i = 1; i <= 2; i++) {
      assertThat(alice.message("full " + (OUTBOX + i))).containsText(refused);
    }
    assertThat(alice.page().getByText(refused)).hasCount(2);
    alice.page().reload();
    assertThat(alice.page().getByText(refused)).hasCount(2);
    line.heal();
    alices.offline(false);

    assertThat(bob.message("full " + OUTBOX)).isVisible();
    assertThat(alice.state("full " + OUTBOX, "Read")).isVisible();
    alice
        .message("full " + (OUTBOX + 1))
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Retry"))
        .click();
    assertThat(bob.message("full " + (OUTBOX + 1))).isVisible();
    alice
        .message("full " + (OUTBOX + 2))
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Delete"))
        .click();
    assertThat(alice.page().getByText(refused)).hasCount(0);
    List<String> all = lines("full", OUTBOX + 1);
    await()
        .untilAsserted(
            () -> {
              for (ChatPage reader : List.of(alice, bob)) {
                List<String> shown =
                    reader.bodies().stream().filter(body -> body.startsWith("full ")).toList();
                assertThat(shown).hasSizeGreaterThan(MOST_OF_A_PAGE);
                assertThat(shown).isEqualTo(all.subList(all.size() - shown.size(), all.size()));
              }
            });
    assertThat(alices.faults()).isEmpty();
    assertThat(bobs.faults()).isEmpty();
  }

  @Test
  void aKilledServerIsWaitedForAndGetsWhatWasWrittenMeanwhile() {
    alice.say("before 1");
    arrives("before", 1);
    node.kill();
    lines("meantime", 3).forEach(alice::say);
    assertThat(alice.connectionBar()).containsText(Pattern.compile("Try now|Connecting"));
    assertThat(bob.connectionBar()).isVisible();
    node.close();
    node = startNode();

    arrives("meantime", 3);
    bob.say("after 1");
    arrives("after", 1);
  }

  @Test
  void aReloadInTheMidstOfSendingLosesAndRepeatsNothing() {
    List<String> all = lines("reload", 40);
    all.subList(0, 20).forEach(alice::say);
    alice.page().reload();
    assertThat(alice.log("Harbour")).isVisible();
    all.subList(20, 40).forEach(alice::say);

    arrives("reload", 40);
  }

  @Test
  void aLineThatIsCutAgainAndAgainLosesAndRepeatsNothing() {
    for (int i = 1; i <= 40; i++) {
      alice.say("cut " + i);
      if (i % 8 == 0) {
        line.reset();
      }
    }

    arrives("cut", 40);
  }

  @Test
  void whatWasBegunIsThereAfterAReload() {
    alice.composer().fill("Not yet said");
    await().untilAsserted(() -> assertThat(alice.kept()).contains("Not yet said"));
    alice.page().reload();
    assertThat(alice.composer()).hasValue("Not yet said");
    alice.composer().fill("");
    alice.composer().press("Enter");
  }
}
