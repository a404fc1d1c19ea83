package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// A long history, from its newest message to its first one and back.
@Tag("full")
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryBrowserIT {
  private static final int MESSAGES = 10_000;
  private static final int MOST_IN_THE_PAGE = 400;

  /// More than a tab reads when it opens a room, and no more than it reads next.
  private static final int FEW = 120;

  private static final int AT_ONCE = 50;

  /// A page of newer messages.
  private static final Pattern NEWER = Pattern.compile("/messages\\?.*\\bafter=");

  /// Of a pixel: what a display can show is whole ones.
  private static final double NOTHING = 0.5;

  /// Scrolls by so many pixels, and answers how far what is in the midst of the view moved by
  /// itself since the last time, and from then on until nothing has changed for some frames; the
  /// first and the last number in the page, how many are there, and whether there is a hole between
  /// them.
  private static final String STEP =
      """
      async (by) => {
        const log = document.querySelector('[role=log]');
        const nodes = () => [...log.querySelectorAll('[data-seq]')];
        const frame = () => new Promise((next) => requestAnimationFrame(next));
        const at = (seq) => log.querySelector(`[data-seq="${seq}"]`)?.getBoundingClientRect().top ?? 1e9;
        let shift = log.stood ? Math.abs(at(log.stood.seq) - log.stood.top) : 0;
        const trace = [];
        if (shift > 0) trace.push(`${log.stood.seq}: ${shift} since the last time`);
        log.scrollTop += by;
        const box = log.getBoundingClientRect();
        const middle = box.top + box.height / 2;
        const distance = (node) => {
          const { top, bottom } = node.getBoundingClientRect();
          return Math.abs((top + bottom) / 2 - middle);
        };
        const anchor = nodes().reduce((a, b) => (distance(a) <= distance(b) ? a : b));
        const seq = anchor.dataset.seq;
        const top = anchor.getBoundingClientRect().top;
        let quiet = 0;
        let most = 0;
        const watch = new MutationObserver(() => (quiet = 0));
        watch.observe(log, { childList: true, subtree: true });
        while (quiet++ < 6) {
          await frame();
          const now = Math.abs(at(seq) - top);
          if (now !== shift) trace.push(`${seq}: ${now} with ${nodes()[0].dataset.seq} to ${nodes().at(-1).dataset.seq} at ${log.scrollTop}`);
          shift = Math.max(shift, now);
          most = Math.max(most, nodes().length);
        }
        watch.disconnect();
        log.stood = { seq, top: at(seq) };
        const seqs = nodes().map((node) => Number(node.dataset.seq));
        const whole = seqs.every((n, i) => i === 0 || n === seqs[i - 1] + 1);
        return { shift, trace, most, first: seqs[0], last: seqs.at(-1), whole };
      }""";

  private Nodes nodes;
  private Chromium chromium;
  private String address;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    int port = nodes.add(TestConfig.with(nodes.config(), "http.origins", List.of("own"))).port();
    Person writer = ApiClient.person(port, "writer", "Writer");
    Person reader = ApiClient.person(port, "reader", "Reader");
    ChatClient socket = ChatClient.live(nodes.vertx(), port, writer.token());
    for (Map.Entry<String, Integer> room : Map.of("Long", MESSAGES, "Short", FEW).entrySet()) {
      String id = writer.at(port).channel(room.getKey());
      reader.at(port).join(id);
      seed(socket, id, room.getValue());
    }
    socket.cut();
    chromium = Chromium.start();
    address = "http://localhost:" + port;
  }

  /// Many at once, on one socket: what is sent first comes first.
  private static void seed(ChatClient writer, String room, int count) {
    for (int from = 1; from <= count; from += AT_ONCE) {
      List<CompletableFuture<JsonObject>> answers =
          IntStream.range(from, Math.min(from + AT_ONCE, count + 1))
              .mapToObj(i -> writer.send(room, room + i, body(i)))
              .toList();
      for (int i = 0; i < answers.size(); i++) {
        JsonObject answer = ChatClient.get(answers.get(i));
        assertThat(answer.getLong("seq")).as("%s", answer).isEqualTo(from + i);
      }
    }
  }

  private static String body(int i) {
    return "Message " + i + (i % 7 == 0 ? "\nof two lines" : "");
  }

  @AfterAll
  void stop() {
    chromium.close();
    nodes.close();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> step(ChatPage page, int by) {
    Map<String, Object> seen = (Map<String, Object>) page.page().evaluate(STEP, by);
    assertThat(number(seen, "shift")).as("%s", seen).isLessThanOrEqualTo(NOTHING);
    assertThat(number(seen, "most")).as("%s", seen).isLessThanOrEqualTo(MOST_IN_THE_PAGE);
    assertThat(seen).containsEntry("whole", true);
    return seen;
  }

  private static double number(Map<String, Object> seen, String name) {
    return ((Number) Objects.requireNonNull(seen.get(name))).doubleValue();
  }

  @Test
  void allOfItCanBeReadUpwardsAndDownwardsAndNothingMovesByItself() {
    try (Profile profile = chromium.profile(address)) {
      ChatPage reader = profile.open("/").signIn("reader").enter("Long");
      assertThat(reader.page().getByTestId("divider")).isVisible();
      reader.page().getByTestId("pill-down").getByRole(AriaRole.BUTTON).click();
      assertThat(reader.message(MESSAGES)).isVisible();
      reader.page().getByText("Mark read").click();

      scroll(reader, -2_500, "first", 1);
      assertThat(reader.message(1)).isVisible();
      scroll(reader, 2_500, "last", MESSAGES);
      scroll(reader, 100_000, "last", MESSAGES);
      assertThat(reader.message(MESSAGES)).isVisible();
      assertThat(profile.faults()).isEmpty();
    }
  }

  @Test
  void whoComesToTheEndOfWhatIsHereBeforeTheLastPageStaysThere() {
    try (Profile profile = chromium.profile(address)) {
      ChatPage reader = profile.open("/").signIn("reader");
      List<Route> held = new CopyOnWriteArrayList<>();
      reader.page().route(NEWER, held::add);
      reader.enter("Short");
      reader.page().waitForCondition(() -> !held.isEmpty());
      reader.log().evaluate("log => log.scrollTop = log.scrollHeight");
      String last = Objects.requireNonNull(reader.messages().last().getAttribute("data-seq"));
      Locator read = reader.message(Long.parseLong(last));
      double top = reader.top(read);

      reader.page().unroute(NEWER);
      held.forEach(Route::resume);
      assertThat(reader.message(FEW)).isAttached();
      assertThat(reader.top(read)).isCloseTo(top, within(NOTHING));
      assertThat(profile.faults()).isEmpty();
    }
  }

  /// Until a number is in view at that end.
  private static void scroll(ChatPage reader, int by, String end, int seq) {
    Map<String, Object> seen;
    int steps = 0;
    do {
      seen = step(reader, by);
      assertThat(++steps).as("steps, at %s", seen).isLessThan(MESSAGES);
    } while (number(seen, end) != seq || !reader.message(seq).isVisible() || !inView(reader, seq));
  }

  private static boolean inView(ChatPage reader, int seq) {
    return (boolean)
        reader
            .message(seq)
            .evaluate(
                """
                (node) => {
                  const log = node.closest('[role=log]').getBoundingClientRect();
                  const own = node.getBoundingClientRect();
                  return own.bottom > log.top && own.top < log.bottom;
                }""");
  }
}
