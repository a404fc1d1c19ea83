package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.CDPSession;
import io.confab.demo.IrcLog;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/// A real conversation of many people (`channel.txt`) is said again, faster than anybody talks,
/// while a tab shows it.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplayBrowserIT {
  private static final int A_SECOND = 50;
  private static final int LINES = 780;

  /// From here on the tab shows as many messages as it ever does.
  private static final int FULL = 400;

  private static final int FEWEST_IN_THE_PAGE = 300;

  private Nodes nodes;
  private Chromium chromium;
  private int port;
  private List<IrcLog.Line> lines;
  private final Map<String, Person> people = new HashMap<>();
  private String room;

  @BeforeAll
  void start() throws IOException {
    nodes = Nodes.start(0);
    port = nodes.add(TestConfig.with(nodes.config(), "http.origins", List.of("own"))).port();
    chromium = Chromium.start();
    lines = channel().lines().subList(0, LINES);
    room = ApiClient.person(port, "host", "Host").at(port).channel("Channel");
    for (IrcLog.Line line : lines) {
      people.computeIfAbsent(line.nick(), this::joined);
    }
  }

  private Person joined(String nick) {
    Person person = ApiClient.person(port, "nick-" + people.size(), nick);
    person.at(port).join(room);
    return person;
  }

  private static IrcLog channel() throws IOException {
    try (InputStream in = ReplayBrowserIT.class.getResourceAsStream("channel.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return IrcLog.parse(text.lines().toList());
    }
  }

  @AfterAll
  void stop() {
    chromium.close();
    nodes.close();
  }

  /// Says these at the pace; a send that took longer is made up for.
  private void say(int from, int to) {
    long start = System.nanoTime();
    for (int i = from; i < to; i++) {
      long due = start + TimeUnit.SECONDS.toNanos(i - from) / A_SECOND;
      LockSupport.parkNanos(due - System.nanoTime());
      JsonObject message =
          new JsonObject().put("client_id", "line-" + i).put("body", lines.get(i).text());
      Objects.requireNonNull(people.get(lines.get(i).nick()))
          .at(port)
          .ok("POST", "/v1/rooms/" + room + "/messages", message);
    }
  }

  /// Bytes of the page's objects that are still used.
  private static double heap(CDPSession session) {
    session.send("HeapProfiler.collectGarbage");
    return session.send("Runtime.getHeapUsage").get("usedSize").getAsDouble();
  }

  private static void awaitLine(ChatPage page, int count) {
    assertThat(page.message((long) count)).isVisible();
  }

  @Test
  void aBusyChannelKeepsItsOrderAndTakesNoMoreMemory(TestReporter reporter) {
    try (Profile profile = chromium.profile("http://localhost:" + port)) {
      ChatPage page = profile.open("/").signIn("host").enter("Channel");
      CDPSession session = profile.context().newCDPSession(page.page());
      say(0, FULL);
      awaitLine(page, FULL);
      double before = heap(session);

      chromium.record(page.page());
      say(FULL, LINES);
      awaitLine(page, LINES);
      Trace trace = Trace.of(chromium.recorded());
      double after = heap(session);

      reporter.publishEntry(
          "replay", "%s; heap %.1f to %.1f MB".formatted(trace, before / 1e6, after / 1e6));
      List<String> said = lines.stream().map(IrcLog.Line::text).toList();
      await()
          .untilAsserted(
              () -> {
                List<String> shown = page.bodies();
                assertThat(shown).hasSizeBetween(FEWEST_IN_THE_PAGE, FULL);
                assertThat(shown).isEqualTo(said.subList(LINES - shown.size(), LINES));
              });
      assertThat(trace.frames()).isNotEmpty();
      assertThat(after).isLessThan(before * 1.5 + 5e6);
      assertThat(profile.faults()).isEmpty();
    }
  }
}
