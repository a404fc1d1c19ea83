package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The client for people who use it by keyboard, by touch, by ear, in the dark, or in another
/// script: axe (https://github.com/dequelabs/axe-core) finds nothing in any of its main states.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LooksBrowserIT {
  private static final int TOUCH = 44;
  private static final long HOUR_MS = 3_600_000;

  private static final String SHOWS_ITS_BEGINNING =
      """
      element => {
        const first = document.createRange();
        first.setStart(element.firstChild, 0);
        first.setEnd(element.firstChild, 1);
        const is = first.getBoundingClientRect();
        const box = element.closest(".room-last").getBoundingClientRect();
        return is.left >= box.left - 1 && is.right <= box.right + 1;
      }
      """;

  private Nodes nodes;
  private Chromium chromium;
  private String address;
  private String axe;
  private int port;
  private String room;
  private Person ann;

  @BeforeAll
  void start() throws IOException {
    nodes = Nodes.start(0);
    port = nodes.add(TestConfig.with(nodes.config(), "http.origins", List.of("own"))).port();
    address = "http://localhost:" + port;
    chromium = Chromium.start();
    axe = script();
    ann = ApiClient.person(port, "ann", "Ann");
    Person ben = ApiClient.person(port, "ben", "Ben");
    room = ann.at(port).channel("Garden");
    ben.at(port).join(room);
    for (int i = 1; i <= 12; i++) {
      String body = i % 3 == 0 ? "See https://example.org/" + i + ", @ann" : "Line " + i;
      (i % 2 == 0 ? ann : ben)
          .at(port)
          .ok(
              "POST",
              "/v1/rooms/" + room + "/messages",
              new JsonObject().put("client_id", "seed-" + i).put("body", body));
    }
  }

  private static String script() {
    try (InputStream in = LooksBrowserIT.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  void stop() {
    chromium.close();
    nodes.close();
  }

  @SuppressWarnings("unchecked")
  private void assertAccessible(ChatPage page, String state) {
    if (page.page().evaluate("typeof axe").equals("undefined")) {
      page.page().evaluate(axe);
    }
    List<String> violations =
        (List<String>)
            page.page()
                .evaluate(
                    """
                    async () => {
                      await Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {})));
                      const { violations } = await axe.run(document, { resultTypes: ['violations'] });
                      return violations.map((v) => `${v.id}: ${v.help} (${v.nodes.map((n) => n.html).join(' ')})`);
                    }\
                    """);
    assertThat(violations).as(state).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  void axeFindsNothing(ColorScheme scheme) {
    try (Profile profile =
        chromium.profile(
            Chromium.options(address, Chromium.WIDTH, Chromium.HEIGHT).setColorScheme(scheme))) {
      ChatPage page = profile.open("/");
      assertThat(page.button("Sign in")).isVisible();
      assertAccessible(page, "signing in");
      page.button("I am new here").click();
      assertAccessible(page, "signing up");
      page.button("I have an account").click();
      page.signIn("ann");
      assertAccessible(page, "no room chosen");
      page.enter("Garden");
      assertThat(page.message("Line 11")).isVisible();
      assertAccessible(page, "a room");
      page.message("Line 11").hover();
      assertAccessible(page, "what can be done with a message");
      page.button("Details").click();
      assertThat(page.named(AriaRole.COMPLEMENTARY, "Details").getByText("@ben")).isVisible();
      for (String tab : List.of("Members", "About", "Invitations", "Bans", "Log")) {
        page.named(AriaRole.TAB, tab).click();
        assertAccessible(page, "details: " + tab);
      }
      page.button("New").click();
      assertAccessible(page, "the menu");
      page.page().keyboard().press("Escape");
      for (String dialog : List.of("Write to somebody", "Find channels", "Create a room")) {
        page.button("New").click();
        page.named(AriaRole.MENUITEM, dialog).click();
        assertThat(page.dialog(dialog)).isVisible();
        assertAccessible(page, dialog);
        page.page().keyboard().press("Escape");
      }
      page.page().keyboard().press("Control+k");
      assertThat(page.dialog("Go to a room")).isVisible();
      assertAccessible(page, "the switcher");
      page.page().keyboard().press("Escape");
      page.button("Keyboard shortcuts").click();
      assertThat(page.dialog("Keyboard shortcuts")).isVisible();
      assertAccessible(page, "the shortcuts");
      page.page().keyboard().press("Escape");
      assertThat(profile.faults()).isEmpty();
    }
  }

  private static String seq(ChatPage page, String text) {
    return Objects.requireNonNull(page.message(text).getAttribute("data-seq"));
  }

  @Test
  void axeFindsNothingInDialogsOfMessagesAndSettingsNorInHighContrast() {
    try (Profile profile = chromium.profile(address)) {
      ChatPage page = profile.open("/").signIn("ann").enter("Garden");
      page.say("Frist words");
      assertThat(page.message("Frist words")).hasAttribute("data-seq", Pattern.compile("\\d+"));
      String seq = seq(page, "Frist words");
      page.composer().press("ArrowUp");
      page.composer().fill("First words");
      page.composer().press("Enter");
      page.message(Long.parseLong(seq)).getByText("(edited)").click();
      assertThat(page.dialog("What it said").getByText("Frist").first()).isVisible();
      assertAccessible(page, "versions");
      page.page().keyboard().press("Escape");
      page.choose("First words", "Who has read it");
      assertThat(page.dialog("Who has read it")).isVisible();
      assertAccessible(page, "readers");
      page.page().keyboard().press("Escape");
      page.openDetails("About").button("Leave the room").click();
      assertThat(page.dialog("Leave the room")).isVisible();
      assertAccessible(page, "a question");
      page.button("Cancel").click();
      page.composer().fill("@be");
      assertThat(page.page().getByRole(AriaRole.LISTBOX)).isVisible();
      assertAccessible(page, "what completes a mention");
      page.composer().fill("");
      page.openSettings();
      assertThat(page.dialog("Settings").getByText("this one")).isVisible();
      assertAccessible(page, "settings");
      page.field("High contrast").check();
      assertAccessible(page, "settings in high contrast");
      page.page().keyboard().press("Escape");
      assertAccessible(page, "a room in high contrast");
      assertThat(profile.faults()).isEmpty();
    }
  }

  @Test
  void axeFindsNothingWithoutAConnectionNorInWhatCouldNotBeSent() {
    Person ann = ApiClient.person(port, "ann", "Ann");
    Person ben = ApiClient.person(port, "ben", "Ben");
    String muted = "/v1/rooms/" + room + "/mutes/" + ben.accountId();
    try (Profile profile = chromium.profile(address)) {
      ChatPage page = profile.open("/").signIn("ben").enter("Garden");
      profile.offline(true);
      // As after sleep, the client asks at once whether the connection still works.
      page.page().evaluate("document.dispatchEvent(new Event('resume'))");
      // Told of it before, the page would take the composer away.
      assertThat(page.connectionBar()).isVisible();
      ann.at(port)
          .ok("PUT", muted, new JsonObject().put("until", System.currentTimeMillis() + HOUR_MS));
      page.say("Too late");
      assertAccessible(page, "without a connection");
      profile.offline(false);
      assertThat(page.message("Too late")).containsText("You are muted in this room.");
      assertAccessible(page, "a message that could not be sent");
      page.message("Too late").getByText("Delete").click();
      assertThat(page.message("Too late")).hasCount(0);
      assertThat(profile.faults()).isEmpty();
    } finally {
      ann.at(port).ok("DELETE", muted, null);
    }
  }

  @Test
  void lettersOfTwiceTheSizeAndAWindowOfHalfTheSizeLoseNothing() {
    try (Profile profile =
        chromium.profile(
            Chromium.options(address, Chromium.WIDTH / 2, Chromium.HEIGHT / 2)
                .setDeviceScaleFactor(2))) {
      ChatPage page = profile.open("/").signIn("ann").enter("Garden");
      assertWide(page);
      assertThat(page.composer()).isInViewport();
      assertAccessible(page, "zoomed to 200 %");
      page.page().setViewportSize(Chromium.WIDTH, Chromium.HEIGHT);
      page.page().evaluate("document.documentElement.style.fontSize = '200%'");
      assertWide(page);
      assertThat(page.composer()).isInViewport();
      assertThat(page.room("Garden").first()).isInViewport();
      page.openDetails("About");
      assertWide(page);
      assertThat(page.button("Leave the room")).isVisible();
      assertAccessible(page, "letters of twice the size");
      assertThat(profile.faults()).isEmpty();
    }
  }

  /// Nothing is wider than the window.
  private static void assertWide(ChatPage page) {
    assertThat(
            (boolean)
                page.page().evaluate("document.scrollingElement.scrollWidth <= window.innerWidth"))
        .isTrue();
  }

  @Test
  void theNarrowestPhoneShowsOneThingAtATimeAndNothingIsCutOff() {
    try (Profile profile = chromium.phone(address)) {
      ChatPage page = profile.open("/");
      assertFits(page);
      page.signIn("ben");
      assertFits(page);
      assertAccessible(page, "rooms on a phone");
      page.enter("Garden");
      assertThat(page.rooms()).isHidden();
      assertThat(page.composer()).isVisible();
      assertFits(page);
      assertAccessible(page, "a room on a phone");
      page.say("From my phone, with a " + "very".repeat(60) + "longword");
      assertFits(page);
      page.button("Details").click();
      assertFits(page);
      page.named(AriaRole.COMPLEMENTARY, "Details").getByLabel("Close").click();
      page.named(AriaRole.LINK, "Back").click();
      assertThat(page.rooms()).isVisible();
      assertThat(profile.faults()).isEmpty();
    }
  }

  /// Nothing is wider than the window, and what is touched is large enough for a finger.
  @SuppressWarnings("unchecked")
  private static void assertFits(ChatPage page) {
    assertWide(page);
    List<String> small =
        (List<String>)
            page.page()
                .evaluate(
                    """
                    (least) => [...document.querySelectorAll('button, input, select, textarea, .sidebar a, header a')]
                      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('label'))
                      .map((one) => [one, one.getBoundingClientRect()])
                      .filter(([, box]) => box.width > 1 && (box.height < least - 0.5 || box.width < least - 0.5))
                      .map(([one, box]) => `${box.width} x ${box.height}: ${one.outerHTML.slice(0, 120)}`)\
                    """,
                    TOUCH);
    assertThat(small).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherScriptTurnsThePageRound(boolean phone) {
    Browser.NewContextOptions options =
        phone
            ? Chromium.options(address, Chromium.PHONE_WIDTH, Chromium.PHONE_HEIGHT)
                .setIsMobile(true)
                .setHasTouch(true)
            : Chromium.options(address, Chromium.WIDTH, Chromium.HEIGHT);
    try (Profile profile = chromium.profile(options.setLocale("ar"))) {
      ChatPage page = profile.open("/");
      assertThat(page.page().locator("html")).hasAttribute("dir", "rtl");
      assertThat(page.page().locator("html")).hasAttribute("lang", "ar");
      assertThat(page.page().getByRole(AriaRole.MAIN)).isVisible();
      assertAccessible(page, "signing in, in Arabic");
      assertThat(page.button("Sign in")).hasCount(0);
      page.page().locator("#handle").fill("ann");
      page.page().locator("#password").fill(ApiClient.PASSWORD);
      page.page().locator("#password").press("Enter");
      Locator garden = page.page().locator(".room-row").getByText("Garden");
      assertThat(garden).isVisible();
      assertPreviewShowsTheBeginning(page, "letter-" + phone);
      page.page().locator(".sidebar-head [aria-haspopup=menu]").click();
      assertThat(page.page().getByRole(AriaRole.MENUITEM)).hasCount(3);
      assertRight(page, phone, "a menu");
      page.page().keyboard().press("Escape");
      garden.click();
      assertThat(page.message("Line 11")).isVisible();
      assertRight(page, phone, "a room");
      page.page().locator(".room-head button").click();
      assertThat(page.page().locator(".panel").getByText("@ben")).isVisible();
      for (Locator tab : page.page().getByRole(AriaRole.TAB).all()) {
        tab.click();
        assertRight(page, phone, "details");
      }
      assertThat(profile.faults()).isEmpty();
    }
  }

  private void assertPreviewShowsTheBeginning(ChatPage page, String clientId) {
    String letter = "From left to right, and longer than a list of rooms is wide. " + clientId;
    ann.at(port)
        .ok(
            "POST",
            "/v1/rooms/" + room + "/messages",
            new JsonObject().put("client_id", clientId).put("body", letter));
    Locator preview = page.page().locator(".room-text").getByText(letter);
    assertThat(preview).isVisible();
    assertThat(preview.evaluate(SHOWS_ITS_BEGINNING)).isEqualTo(true);
  }

  private void assertRight(ChatPage page, boolean phone, String state) {
    assertAccessible(page, state + ", in Arabic");
    if (phone) {
      assertFits(page);
    } else {
      assertWide(page);
    }
  }

  @Test
  void everythingOfAConversationCanBeDoneByKeyboard() {
    try (Profile profile = chromium.profile(address)) {
      ChatPage page = profile.open("/").signIn("ann");
      assertThat(page.room("Garden").first()).isVisible();
      page.page().keyboard().press("Control+k");
      assertThat(page.dialog("Go to a room")).isVisible();
      page.page().keyboard().type("gard");
      page.page().keyboard().press("Enter");
      assertThat(page.log("Garden")).isVisible();
      assertThat(page.composer()).isFocused();
      page.page().keyboard().type("By keyboard, @be");
      assertThat(page.page().getByRole(AriaRole.LISTBOX)).isVisible();
      page.page().keyboard().press("Enter");
      page.page().keyboard().press("Shift+Enter");
      page.page().keyboard().type("second line");
      page.page().keyboard().press("Enter");
      assertThat(page.messages().last()).containsText("By keyboard, @ben");
      assertThat(page.messages().last()).containsText("second line");
      assertThat(page.messages().last().getByRole(AriaRole.IMG).last())
          .hasAttribute("aria-label", Pattern.compile("Sent|Delivered|Read"));
      page.page().keyboard().press("ArrowUp");
      assertThat(page.composer()).hasValue(Pattern.compile("^By keyboard, @ben"));
      page.page().keyboard().press("Escape");
      assertThat(page.composer()).hasValue("");
      page.page().keyboard().type("?");
      assertThat(page.composer()).hasValue("?");
      page.composer().fill("");
      assertThat(profile.faults()).isEmpty();
    }
  }
}
