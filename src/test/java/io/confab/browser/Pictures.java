package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Takes pictures of the client's main states, for people to look at: in the light and in the
/// dark, on a desk and on a phone. They are in `target/pictures`.
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Pictures {
  private static final Path FOLDER = Path.of("target", "pictures");
  private static final int PHONE_WIDTH = 390;
  private static final int PHONE_HEIGHT = 780;

  private final Map<String, Person> people = new LinkedHashMap<>();
  private Nodes nodes;
  private Chromium chromium;
  private int port;
  private String design;
  private long sent;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    port = nodes.add(TestConfig.with(nodes.config(), "http.origins", List.of("own"))).port();
    chromium = Chromium.start();
    for (String name :
        List.of("Mara Lindqvist", "Jonas Weber", "Priya Nair", "Tom O'Hara", "سارة الحسن")) {
      String handle =
          name.startsWith("س") ? "sara" : name.toLowerCase(Locale.ROOT).split(" ", 2)[0];
      people.put(handle, ApiClient.person(port, handle, name));
    }
    design = channel("Design review", "What we show each other on Thursdays");
    channel("Garden club", "Seeds, weeds and recipes");
    channel("Releases", "What goes out, and when");
    String garden = room("garden club");
    direct("jonas", "Did you see the new drawings? They are in the review.");
    direct("sara", "صباح الخير مارا، هل نلتقي غدًا؟");
    say("priya", garden, "The tomatoes are in. Who takes the watering on Sunday?");
    say("tom", garden, "I can, if somebody feeds the cat in return.");
    say("jonas", design, "Morning all. The new start page is on the staging server.");
    say(
        "jonas",
        design,
        "https://staging.example.org/start?variant=b, both variants, side by side");
    say("priya", design, "Variant B reads better on my phone, the first line is not cut any more.");
    say("mara", design, "Agreed. I would still move the search up, nobody finds it down there.");
    JsonObject reply =
        new JsonObject().put("client_id", "reply").put("body", "Can do that before lunch.");
    person("jonas").ok("POST", messages(design), reply.put("reply_to", 4));
    say("sara", design, "الألوان أوضح بكثير الآن، شكرًا");
    say(
        "tom",
        design,
        "@mara could you check the contrast of the second button? It looks faint to me, at least on"
            + " the old projector in the meeting room.");
    say("mara", design, "4.9 : 1, so it is fine, but I see what you mean.");
    say("mara", design, "Let us take the darker green.");
    say("priya", design, "Darker it is.");
    person("mara").ok("PUT", "/v1/rooms/" + design + "/read", new JsonObject().put("seq", 10));
    sealed("Surprise party", "jonas", "Who brings the cake? Not a word to Priya.");
  }

  /// A group that a browser cannot read from the second line on.
  private void sealed(String name, String other, String first) {
    for (String who : List.of("mara", other)) {
      person(who)
          .ok(
              "PUT",
              "/v1/me/keys",
              new JsonObject().put("suite", "olm1").put("identity", "of " + who));
    }
    JsonObject group = new JsonObject().put("type", "group").put("name", name);
    group.put("members", new JsonArray().add(of(other).accountId()));
    String room = person("mara").ok("POST", "/v1/rooms", group).getString("room_id");
    say(other, room, first);
    JsonObject suite = new JsonObject().put("suite", "olm1");
    person("mara").ok("PATCH", "/v1/rooms/" + room, new JsonObject().put("encryption", suite));
  }

  private Person of(String handle) {
    return Objects.requireNonNull(people.get(handle));
  }

  @AfterAll
  void stop() {
    chromium.close();
    nodes.close();
  }

  private ApiClient person(String handle) {
    return of(handle).at(port);
  }

  private String channel(String name, String description) {
    JsonObject room =
        person("mara")
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "channel")
                    .put("name", name)
                    .put("description", description));
    String id = room.getString("room_id");
    people.keySet().stream().skip(1).forEach(handle -> person(handle).join(id));
    return id;
  }

  private String room(String name) {
    return person("mara")
        .ok("GET", "/v1/channels?query=" + name.replace(' ', '+'), null)
        .getJsonArray("channels")
        .getJsonObject(0)
        .getString("room_id");
  }

  private void direct(String handle, String text) {
    String mara = of("mara").accountId();
    JsonObject room =
        person(handle)
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject().put("type", "direct").put("members", new JsonArray().add(mara)));
    say(handle, room.getString("room_id"), text);
  }

  private static String messages(String room) {
    return "/v1/rooms/" + room + "/messages";
  }

  private void say(String handle, String room, String text) {
    JsonObject message = new JsonObject().put("client_id", "p" + sent++).put("body", text);
    person(handle).ok("POST", messages(room), message);
  }

  /// One browser, with the beginning of the names of its pictures.
  private record Camera(String name, ChatPage page) {
    void take(String state) {
      page.page().mouse().move(0, 0);
      still(state);
    }

    void still(String state) {
      page.page()
          .evaluate("Promise.all(document.getAnimations().map(a => a.finished.catch(() => {})))");
      page.page()
          .screenshot(
              new Page.ScreenshotOptions()
                  .setPath(FOLDER.resolve("%s-%s.png".formatted(state, name))));
    }
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, false", "LIGHT, true", "DARK, false", "DARK, true"})
  void ofTheMainStates(ColorScheme scheme, boolean phone) {
    Browser.NewContextOptions options =
        phone
            ? Chromium.options("http://localhost:" + port, PHONE_WIDTH, PHONE_HEIGHT)
                .setIsMobile(true)
                .setHasTouch(true)
                .setDeviceScaleFactor(2)
            : Chromium.options("http://localhost:" + port, Chromium.WIDTH, Chromium.HEIGHT);
    String name = scheme.name().toLowerCase(Locale.ROOT) + (phone ? "-phone" : "-wide");
    try (Profile profile = chromium.profile(options.setColorScheme(scheme))) {
      Camera camera = new Camera(name, profile.open("/"));
      signingIn(camera);
      conversation(camera, phone);
      dialogs(camera, phone);
      offline(camera, profile, phone);
    }
  }

  private static void signingIn(Camera camera) {
    ChatPage page = camera.page();
    assertThat(page.button("Sign in")).isVisible();
    camera.take("01-sign-in");
    page.button("I am new here").click();
    camera.take("02-sign-up");
    page.button("I have an account").click();
    page.signIn("mara");
    assertThat(page.room("Design review")).isVisible();
    camera.take("03-rooms");
  }

  private void conversation(Camera camera, boolean phone) {
    ChatPage page = camera.page();
    page.enter("Design review");
    assertThat(page.message("Darker it is.")).isVisible();
    assertThat(page.page().getByText("Can do that before lunch.")).isVisible();
    camera.take("04-room");
    page.composer().fill("Thanks @jo");
    assertThat(page.page().getByRole(AriaRole.LISTBOX)).isVisible();
    camera.take("05-completion");
    page.composer().fill("");
    if (phone) {
      page.message("Let us take the darker green.").tap();
    } else {
      page.message("Let us take the darker green.").hover();
    }
    camera.still("06-actions");
    page.message("Let us take the darker green.").getByLabel("More").click();
    assertThat(page.named(AriaRole.MENUITEM, "Copy link")).isVisible();
    camera.still("07-menu");
    page.page().keyboard().press("Escape");
    for (String tab : List.of("Members", "About", "Invitations")) {
      page.openDetails(tab);
      assertThat(page.named(AriaRole.COMPLEMENTARY, "Details").locator("input").first())
          .isVisible();
      camera.take("08-" + tab.toLowerCase(Locale.ROOT));
    }
    page.named(AriaRole.COMPLEMENTARY, "Details").getByLabel("Close").click();
  }

  private static void dialogs(Camera camera, boolean phone) {
    ChatPage page = camera.page();
    if (phone) {
      page.named(AriaRole.LINK, "Back").click();
    }
    page.openSettings();
    assertThat(page.dialog("Settings").getByText("this one")).isVisible();
    camera.take("09-settings");
    page.page().keyboard().press("Escape");
    page.page().keyboard().press("Control+k");
    assertThat(page.dialog("Go to a room")).isVisible();
    camera.take("10-switcher");
    page.page().keyboard().press("Escape");
    for (String dialog : List.of("Find channels", "Create a room")) {
      page.button("New").click();
      page.named(AriaRole.MENUITEM, dialog).click();
      assertThat(page.dialog(dialog)).isVisible();
      if (dialog.startsWith("Find")) {
        assertThat(page.dialog(dialog).getByText("Garden club").first()).isVisible();
      }
      camera.take("11-" + dialog.toLowerCase(Locale.ROOT).replace(' ', '-'));
      page.page().keyboard().press("Escape");
    }
    page.button("Keyboard shortcuts").click();
    camera.take("12-shortcuts");
    page.page().keyboard().press("Escape");
    page.room("سارة الحسن").first().click();
    assertThat(page.message("صباح الخير مارا، هل نلتقي غدًا؟")).isVisible();
    camera.take("13-direct");
    if (phone) {
      page.named(AriaRole.LINK, "Back").click();
    }
    page.enter("Surprise party");
    assertThat(page.message("Who brings the cake? Not a word to Priya.")).isVisible();
    camera.take("13-sealed");
    if (phone) {
      page.named(AriaRole.LINK, "Back").click();
    }
    page.enter("Design review");
  }

  private static void offline(Camera camera, Profile profile, boolean phone) {
    ChatPage page = camera.page();
    profile.offline(true);
    page.page().evaluate("dispatchEvent(new Event('offline'))");
    page.say("On the train, back in an hour.");
    assertThat(page.connectionBar()).isVisible();
    camera.take("14-offline");
    profile.offline(false);
    assertThat(page.connectionBar()).hasCount(0);
    page.page()
        .evaluate("localStorage.setItem('confab.prefs', JSON.stringify({ language: 'ar' }))");
    page.page().reload();
    assertThat(page.page().locator("html")).hasAttribute("dir", "rtl");
    assertThat(page.message("Darker it is.")).isVisible();
    camera.take("15-arabic");
    if (phone) {
      page.page().goBack();
    }
    page.page().getByText("Surprise party").first().click();
    assertThat(page.message("Who brings the cake? Not a word to Priya.")).isVisible();
    camera.take("16-arabic-sealed");
  }
}
