package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Gatherers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// All else that people write, besides messages and names, is shown as text too.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileFieldsBrowserIT {
  private static final int STATUS = 100;
  private static final int NAME = 80;
  private static final int LONG = 500;
  private static final int AT_A_TIME = 40;

  private Nodes nodes;
  private Chromium chromium;
  private Profile profile;
  private int port;

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

  @BeforeEach
  void open() {
    profile = chromium.profile("http://localhost:" + port);
  }

  @AfterEach
  void closeProfile() {
    profile.close();
  }

  private ChatPage signedIn(Person person) {
    return profile.open("/").signIn(person.handle());
  }

  private void assertPlain(ChatPage page) {
    page.assertPlain();
    assertThat(profile.faults()).isEmpty();
  }

  @Test
  void whatPeopleAreUpTo() {
    Person reader = ApiClient.person(port, "curious", "Curious");
    String room = reader.at(port).channel("Status");
    List<String> texts = Hostile.packed(STATUS).stream().map(String::strip).toList();
    for (int i = 0; i < texts.size(); i++) {
      Person person = ApiClient.person(port, "busy" + i, "Busy " + i);
      person.at(port).join(room);
      JsonObject direct =
          new JsonObject().put("type", "direct").put("members", List.of(person.accountId()));
      reader.at(port).ok("POST", "/v1/rooms", direct);
      JsonObject status = new JsonObject().put("status", "online").put("text", texts.get(i));
      person.at(port).ok("PUT", "/v1/me/presence", status);
    }
    reader
        .at(port)
        .ok(
            "PUT",
            "/v1/me/presence",
            new JsonObject().put("status", "online").put("text", texts.getLast()));
    ChatPage page = signedIn(reader);
    ChatPage.assertTexts(page.page().locator(".me-status"), List.of(texts.getLast()));
    page.enter("Status").openDetails("Members");
    Locator hints = page.page().locator(".panel .person-row .hint");
    await()
        .untilAsserted(
            () -> {
              String all = String.join("\n", hints.allTextContents());
              assertThat(all).contains(texts);
            });
    assertPlain(page);
  }

  @Test
  void whatDevicesAreCalled() {
    int account = 0;
    for (List<String> names :
        Hostile.packed(NAME).stream().gather(Gatherers.windowFixed(AT_A_TIME)).toList()) {
      Person person = ApiClient.person(port, "owner" + account++, "Owner");
      for (String name : names) {
        String device = person.onAnotherDevice(port).deviceId();
        person
            .at(port)
            .ok("PATCH", "/v1/devices/" + device, new JsonObject().put("name", name.strip()));
      }
      try (Profile other = chromium.profile("http://localhost:" + port)) {
        ChatPage page = other.open("/").signIn(person.handle()).openSettings();
        ChatPage.assertTexts(
            page.dialog("Settings").locator(".person-words > bdi"),
            names.stream().map(String::strip).toList());
        page.assertPlain();
        assertThat(other.faults()).isEmpty();
      }
    }
  }

  @Test
  void whatRoomsAreAbout() {
    Person person = ApiClient.person(port, "author", "Author");
    int count = 0;
    for (String text : Hostile.packed(LONG)) {
      JsonObject room =
          new JsonObject()
              .put("type", "group")
              .put("name", "About " + count++)
              .put("description", text.strip());
      person.at(port).ok("POST", "/v1/rooms", room);
    }
    ChatPage page = signedIn(person);
    List<String> about = Hostile.packed(LONG);
    for (int i = 0; i < about.size(); i++) {
      page.enter("About " + i);
      String text = about.get(i).strip();
      Locator subtitle = page.page().locator(".room-title p");
      await().untilAsserted(() -> assertThat(subtitle.textContent()).endsWith(" · " + text));
    }
    assertPlain(page);
  }

  @Test
  void theTopicsOfMessages() {
    Person person = ApiClient.person(port, "author", "Author");
    ChatPage page = signedIn(person);
    int count = 0;
    for (List<String> topics :
        Hostile.packed(NAME).stream().gather(Gatherers.windowFixed(AT_A_TIME)).toList()) {
      String name = "Topics " + count;
      String room = person.at(port).channel(name);
      for (String topic : topics) {
        JsonObject message =
            new JsonObject()
                .put("client_id", "t" + count++)
                .put("body", "see above")
                .put("topic", topic.strip());
        person.at(port).ok("POST", "/v1/rooms/" + room + "/messages", message);
      }
      page.enter(name);
      ChatPage.assertTexts(
          page.log().locator(".topic"),
          topics.stream().map(topic -> "Topic: " + topic.strip()).toList());
    }
    assertPlain(page);
  }

  @Test
  void whySomebodyWasBanned() {
    Person person = ApiClient.person(port, "ruler", "Ruler");
    String room = person.at(port).channel("Ruled");
    List<String> reasons = Hostile.packed(LONG).stream().map(String::strip).toList();
    for (int i = 0; i < reasons.size(); i++) {
      Person banned = ApiClient.person(port, "banned" + i, "Banned " + i);
      banned.at(port).join(room);
      person
          .at(port)
          .ok(
              "PUT",
              "/v1/rooms/" + room + "/bans/" + banned.accountId(),
              new JsonObject().put("reason", reasons.get(i)));
    }
    ChatPage page = signedIn(person).enter("Ruled").openDetails("Bans");
    ChatPage.assertTexts(page.page().locator(".panel .list-row .hint:last-child"), reasons);
    assertPlain(page);
  }
}
