package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal;
import io.confab.testing.Ports;
import io.confab.testing.TestConfig;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every kind of client in one room, each behind a line that is cut again and again.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SameLogBrowserIT {
  private static final Pattern SAID =
      Pattern.compile("(?m)^\\d\\d:\\d\\d #(\\d+) (?:✓+ )?\\S+: (line [abct]\\d+)");
  private static final int ROUNDS = 12;

  private final int port = Ports.freeRun(1);
  private final TcpProxy line = TcpProxy.before("http://127.0.0.1:" + port, Filter::none);
  private Nodes nodes;
  private Chromium chromium;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    nodes.add(
        TestConfig.with(
            TestConfig.with(nodes.config(), "http.port", port),
            "http.origins",
            List.of("own", "http://localhost:" + line.port())));
    chromium = Chromium.start();
  }

  @AfterAll
  void stop() {
    chromium.close();
    line.close();
    nodes.close();
  }

  /// What the terminal showed, by the numbers of the messages.
  private static SortedMap<Integer, String> said(Terminal.Open terminal) {
    SortedMap<Integer, String> lines = new TreeMap<>();
    SAID.matcher(terminal.out())
        .results()
        .forEach(one -> lines.put(Integer.parseInt(one.group(1)), one.group(2)));
    return lines;
  }

  @Test
  void tabsProfilesAndATerminalEndWithTheSameLog(@TempDir Path folder) {
    String address = "http://localhost:" + line.port();
    try (Profile tabs = chromium.profile(address);
        Profile other = chromium.profile(address)) {
      ChatPage first = tabs.open("/").signUp("ada", "Ada").createRoom("Channel", "Ring");
      ChatPage second = tabs.open("/#/rooms/" + first.openRoom());
      ChatPage third = other.open("/#/rooms/" + first.openRoom()).signUp("ben", "Ben");
      third.button("Join").click();
      Terminal.Open terminal =
          new Terminal(folder, line.url())
              .open("chat", "--as", "cleo", "--sign-up", "--room", "Ring");
      for (ChatPage page : List.of(first, second, third)) {
        assertThat(page.log("Ring")).isVisible();
      }
      await().until(() -> terminal.out().contains("Ring"));

      for (int i = 1; i <= ROUNDS; i++) {
        first.say("line a" + i);
        terminal.type("line t" + i);
        second.say("line b" + i);
        third.say("line c" + i);
        if (i % 3 == 0) {
          line.reset();
        } else if (i % 4 == 0) {
          line.cutAfter(200);
        }
      }
      line.heal();

      await()
          .untilAsserted(
              () -> {
                assertThat(first.bodies()).hasSize(4 * ROUNDS);
                assertThat(second.bodies()).isEqualTo(first.bodies());
                assertThat(third.bodies()).isEqualTo(first.bodies());
                assertThat(said(terminal).values())
                    .as(terminal::out)
                    .containsExactlyElementsOf(first.bodies());
              });
      for (String speaker : List.of("a", "b", "c", "t")) {
        assertThat(first.bodies().stream().filter(body -> body.startsWith("line " + speaker)))
            .isEqualTo(
                IntStream.rangeClosed(1, ROUNDS).mapToObj(i -> "line " + speaker + i).toList());
      }
      terminal.end();
      assertThat(tabs.faults()).isEmpty();
      assertThat(other.faults()).isEmpty();
    }
  }
}
