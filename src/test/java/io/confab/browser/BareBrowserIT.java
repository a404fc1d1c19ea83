package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ServiceWorkerPolicy;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.Ports;
import io.confab.testing.TestConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// The client in browsers that lack something: TLS, site data, a database, a mouse.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BareBrowserIT {
  private static final Pattern API = Pattern.compile("/v1/");

  /// Whether this tab notifies by now.
  private static final String NOTIFIES =
      "async () => (await navigator.locks.query()).held.some(l => l.name === 'confab-notifies')";

  private final int port = Ports.freeRun(1);
  private final String named = "http://chat.test:" + port;
  private Nodes nodes;
  private Chromium chromium;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    nodes.add(
        TestConfig.with(
            TestConfig.with(nodes.config(), "http.port", port),
            "http.origins",
            List.of("own", named)));
    chromium = Chromium.start();
  }

  @AfterAll
  void stop() {
    chromium.close();
    nodes.close();
  }

  private String address() {
    return "http://localhost:" + port;
  }

  private static io.vertx.core.json.JsonObject said(String text) {
    return new io.vertx.core.json.JsonObject()
        .put("client_id", "c-" + text.replaceAll("[^a-z0-9]", "-"))
        .put("body", text);
  }

  @Test
  void aPageWithoutTlsHasAllButWhatBrowsersKeepFromIt() {
    try (Profile profile = chromium.profile(named)) {
      ChatPage page = profile.open("/").signUp("plain", "Plain");
      assertThat(page.page().evaluate("isSecureContext")).isEqualTo(false);
      page.createRoom("Channel", "Plain talk").say("copy me");
      assertThat(page.state("copy me", "Sent").or(page.state("copy me", "Delivered"))).isVisible();
      page.choose("copy me", "Copy text");
      assertThat(page.page().getByText("Copied.")).isVisible();
      page.composer().press("Control+v");
      assertThat(page.composer()).hasValue("copy me");
      page.composer().fill("");
      Person guest = ApiClient.person(port, "guest", "Guest");
      guest.at(port).join(page.openRoom());
      guest.at(port).ok("POST", "/v1/rooms/" + page.openRoom() + "/messages", said("hello"));
      assertThat(page.message("hello")).isVisible();
      assertThat(profile.faults()).isEmpty();
    }
  }

  @Test
  void aBrowserThatKeepsNothingChatsAndSaysSo() {
    try (Profile profile = chromium.profile(address())) {
      profile
          .context()
          .addInitScript(
              """
              const none = { configurable: true, get() { throw new DOMException('denied', 'SecurityError'); } };
              Object.defineProperty(window, 'localStorage', none);
              Object.defineProperty(window, 'sessionStorage', none);
              IDBFactory.prototype.open = () => new EventTarget();""");
      ChatPage page = profile.open("/");
      assertThat(page.page().getByText(Pattern.compile("This browser keeps nothing"))).isVisible();
      page.signUp("ghost", "Ghost").createRoom("Channel", "Mist").say("boo");
      assertThat(page.state("boo", "Sent").or(page.state("boo", "Delivered"))).isVisible();
      assertThat(profile.faults()).isEmpty();
    }
  }

  /// A finger on an element, as the browser's own input has it.
  private static void touch(CDPSession session, String type, double x, double y) {
    JsonArray points = new JsonArray();
    if (!type.equals("touchEnd")) {
      JsonObject point = new JsonObject();
      point.addProperty("x", x);
      point.addProperty("y", y);
      points.add(point);
    }
    JsonObject event = new JsonObject();
    event.addProperty("type", type);
    event.add("touchPoints", points);
    session.send("Input.dispatchTouchEvent", event);
  }

  @Test
  void aFingerReachesWhatCanBeDoneWithAMessageAlsoWhereTheBrowserTellsOfNoLongPress() {
    try (Profile profile = chromium.phone(address())) {
      profile
          .context()
          .addInitScript(
              "addEventListener('contextmenu', e => { e.stopImmediatePropagation();"
                  + " e.preventDefault(); }, true)");
      ChatPage page = profile.open("/").signUp("thumb", "Thumb");
      page.createRoom("Channel", "Touch").say("press me").say("another");
      assertThat(page.state("another", "Sent").or(page.state("another", "Delivered"))).isVisible();
      BoundingBox box = page.message("press me").locator(".body").boundingBox();
      double x = box.x + box.width / 2;
      double y = box.y + box.height / 2;
      CDPSession session = profile.context().newCDPSession(page.page());
      touch(session, "touchStart", x, y);
      assertThat(page.named(AriaRole.MENUITEM, "Copy text")).isVisible();
      touch(session, "touchEnd", x, y);
      page.named(AriaRole.MENUITEM, "Edit").tap();
      assertThat(page.composer()).hasValue("press me");
      page.button("Stop").tap();

      touch(session, "touchStart", x, y);
      touch(session, "touchMove", x, y + 40);
      touch(session, "touchEnd", x, y + 40);
      assertThat(page.named(AriaRole.MENUITEM, "Copy text")).hasCount(0);

      page.message("press me").locator(".body").tap();
      page.message("press me").getByRole(AriaRole.BUTTON).and(page.button("More")).tap();
      assertThat(page.named(AriaRole.MENUITEM, "Copy text")).isVisible();
      assertThat(profile.faults()).isEmpty();
    }
  }

  @Test
  void whatWasSaidBeforeThePageWasOpenedIsNotNotified() {
    Person speaker = ApiClient.person(port, "speaker", "Speaker");
    String room = speaker.at(port).channel("News");
    Person listener = ApiClient.person(port, "listener", "Listener");
    listener.at(port).join(room);
    // What goes through a service worker cannot be held up.
    Browser.NewContextOptions options =
        Chromium.options(address(), Chromium.WIDTH, Chromium.HEIGHT)
            .setServiceWorkers(ServiceWorkerPolicy.BLOCK);
    try (Profile profile = chromium.profile(options)) {
      profile.context().grantPermissions(List.of("notifications"));
      profile
          .context()
          .addInitScript(
              """
              window.told = [];
              const Real = Notification;
              window.Notification = class { constructor(title, more) { told.push(more.body); } close() {} };
              Object.defineProperty(Notification, 'permission', { get: () => Real.permission });""");
      ChatPage page = profile.open("/").signIn("listener");
      assertThat(page.room("News")).isVisible();
      await().until(() -> page.kept().contains("News"));
      page.page().navigate("about:blank");
      for (String text : List.of("@listener one", "@listener two")) {
        speaker.at(port).ok("POST", "/v1/rooms/" + room + "/messages", said(text));
      }
      // The server answers when all else is there.
      List<Route> held = new CopyOnWriteArrayList<>();
      page.page().route(API, held::add);
      page.page().navigate("/");
      page.page().waitForCondition(() -> !held.isEmpty());
      page.page().waitForFunction(NOTIFIES);
      page.page().unroute(API);
      held.forEach(Route::resume);
      assertThat(page.room("News")).containsText("2 mentions");
      await()
          .pollInterval(Duration.ofMillis(250))
          .untilAsserted(
              () -> {
                String text = "@listener now " + System.nanoTime();
                speaker.at(port).ok("POST", "/v1/rooms/" + room + "/messages", said(text));
                assertThat((List<?>) page.page().evaluate("told")).isNotEmpty();
              });
      assertThat((List<?>) page.page().evaluate("told"))
          .allSatisfy(text -> assertThat(text.toString()).startsWith("@listener now"));
      assertThat(profile.faults()).isEmpty();
    }
  }
}
