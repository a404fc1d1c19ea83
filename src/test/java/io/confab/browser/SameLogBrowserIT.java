package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.WebSocketRoute;
import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal;
import io.confab.testing.Ports;
import io.confab.testing.TestConfig;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /// A socket of a page on which messages wait until they are let through; all else passes.
  private static final class Held {
    private final List<Runnable> waiting = new ArrayList<>();

    Held(Page page) {
      page.routeWebSocket(Pattern.compile("/v1/socket$"), this::hold);
    }

    private void hold(WebSocketRoute socket) {
      socket
          .connectToServer()
          .onMessage(
              frame -> {
                if (frame.text().startsWith("{\"type\":\"message.receive\"")) {
                  waiting.add(() -> socket.send(frame.text()));
                } else {
                  socket.send(frame.text());
                }
              });
    }

    void letThrough() {
      waiting.forEach(Runnable::run);
    }
  }

  @Test
  void aLineThatIsAcknowledgedBeforeEarlierOnesComeStandsBelowThem() {
    String address = "http://localhost:" + port;
    try (Profile one = chromium.profile(address);
        Profile other = chromium.profile(address)) {
      ChatPage dan = one.open("/").signUp("dan", "Dan").createRoom("Channel", "Well");
      ChatPage eve = new ChatPage(other.context().newPage());
      Held held = new Held(eve.page());
      eve.page().navigate("/#/rooms/" + dan.openRoom());
      eve.signUp("eve", "Eve").button("Join").click();
      assertThat(eve.log("Well")).isVisible();
      for (int i = 1; i <= 3; i++) {
        dan.say("early " + i);
      }
      assertThat(dan.message("early 3")).hasAttribute("data-seq", "3");
      eve.say("late");
      assertThat(eve.message("late")).hasAttribute("data-seq", "4");
      assertThat(eve.messages()).hasCount(1);
      held.letThrough();
      assertThat(eve.messages()).hasCount(4);
      assertThat(eve.bodies()).containsExactly("early 1", "early 2", "early 3", "late");
      assertThat(one.faults()).isEmpty();
      assertThat(other.faults()).isEmpty();
    }
  }
}
