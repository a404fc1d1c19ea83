package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Whatever people write, call themselves or call their rooms is shown as they wrote it, and
/// nothing of it is ever run, loaded or made part of the page. The policy of the page has nothing
/// to report: it never comes to that.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InjectionBrowserIT {
  private static final int PAGE = 50;

  /// Rooms that are gone through, of those that are listed.
  private static final int SHOWN = 8;

  private Nodes nodes;
  private Chromium chromium;
  private Profile profile;
  private int port;

  @BeforeEach
  void open() {
    profile = chromium.profile("http://localhost:" + port);
  }

  @AfterEach
  void closeProfile() {
    profile.close();
  }

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    port = nodes.add(TestConfig.with(nodes.config(), "http.origins", List.of("own"))).port();
    chromium = Chromium.start();
  }

  @AfterAll
  void stop() {
    chromium.close();
    nodes.close();
  }

  private void assertNothingRan(ChatPage page) {
    page.assertPlain();
    assertThat(profile.faults()).isEmpty();
  }

  @Test
  void aHostileBodyIsTextAndItsLinksLeadToPagesAlone() {
    Person attacker = ApiClient.person(port, "attacker", "Attacker");
    Person reader = ApiClient.person(port, "victim", "Victim");
    List<String> bodies = Hostile.bodies();
    for (int from = 0; from < bodies.size(); from += PAGE) {
      String name = "Attack " + from / PAGE;
      String room = attacker.at(port).channel(name);
      reader.at(port).join(room);
      List<String> said = bodies.subList(from, Math.min(from + PAGE, bodies.size()));
      for (int i = 0; i < said.size(); i++) {
        attacker
            .at(port)
            .ok(
                "POST",
                "/v1/rooms/" + room + "/messages",
                new JsonObject().put("client_id", "x-" + from + "-" + i).put("body", said.get(i)));
      }
    }
    try (ChatPage page = profile.open("/")) {
      page.signIn("victim");
      for (int from = 0; from < bodies.size(); from += PAGE) {
        List<String> said = bodies.subList(from, Math.min(from + PAGE, bodies.size()));
        page.enter("Attack " + from / PAGE);
        assertThat(page.log().locator(".message .body")).hasCount(said.size());
        assertThat(page.bodies()).isEqualTo(said);
        assertThat(page.log().locator(".body *:not(a, bdi)")).hasCount(0);
        for (Locator link : page.log().locator(".body a").all()) {
          assertThat(link.getAttribute("href")).matches("https?://[^\"<>\\s]*");
          assertThat(link.getAttribute("rel")).contains("noopener");
        }
        assertNothingRan(page);
      }
    }
  }

  @Test
  void hostileNamesOfPeopleAndRoomsAreTextEverywhere() {
    Person host = ApiClient.person(port, "host", "Host");
    List<String> names = Hostile.names();
    String common = host.at(port).channel("Common");
    List<Person> people = new ArrayList<>();
    for (String name : names) {
      Person person = ApiClient.person(port, "guest" + people.size(), name);
      people.add(person);
      person.at(port).join(common);
      person
          .at(port)
          .ok(
              "POST",
              "/v1/rooms/" + common + "/messages",
              new JsonObject().put("client_id", "hi").put("body", "I am " + name));
      host.at(port)
          .ok(
              "POST",
              "/v1/rooms",
              new JsonObject()
                  .put("type", "group")
                  .put("name", name)
                  .put("description", "About " + name));
    }
    try (ChatPage page = profile.open("/")) {
      page.signIn("host");
      assertThat(page.rooms().getByRole(AriaRole.LINK)).hasCount(names.size() + 1);
      ChatPage.assertTexts(
          page.rooms().locator(".room-name"),
          Stream.concat(Stream.of("Common"), names.stream()).toList());
      page.enter("Common");
      await()
          .untilAsserted(
              () -> {
                page.log().evaluate("log => { log.scrollTop = log.scrollTop > 0 ? 0 : 1e9 }");
                assertThat(page.messages().count()).isEqualTo(names.size());
              });
      ChatPage.assertTexts(page.log().locator(".author"), names);
      page.button("Details").click();
      Locator members = page.named(AriaRole.COMPLEMENTARY, "Details");
      assertThat(members.getByText(names.getFirst()).first()).isVisible();
      while (page.button("Show more members").isVisible()) {
        page.button("Show more members").click();
      }
      ChatPage.assertTexts(members.locator(".person-words > bdi"), names);
      assertNothingRan(page);
      page.composer().fill("@guest1");
      assertThat(page.page().getByRole(AriaRole.LISTBOX)).isVisible();
      assertNothingRan(page);
      page.composer().fill("");
      for (String name : names.subList(0, SHOWN)) {
        page.enter(name);
        assertThat(page.page().getByRole(AriaRole.HEADING).getByText(name).first()).isVisible();
        await().untilAsserted(() -> assertThat(page.page().title()).contains(name.strip()));
        assertNothingRan(page);
      }
    }
  }

  @Test
  void aHostileAddressIsNoneOfTheClientsPlaces() {
    try (ChatPage page = profile.open("/#/rooms/%3Cimg%20src=x%20onerror=pwned=1%3E")) {
      assertThat(page.button("Sign in")).isVisible();
      for (String line : Hostile.lines()) {
        page.page().evaluate("hash => { location.hash = hash }", "#/rooms/" + line);
        page.page().evaluate("hash => { location.hash = hash }", "#/invite/" + line);
      }
      assertNothingRan(page);
    }
  }
}
