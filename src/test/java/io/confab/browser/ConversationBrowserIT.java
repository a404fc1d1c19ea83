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
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Two people, from their first visit on, each in a browser of their own.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConversationBrowserIT {
  private Nodes nodes;
  private Chromium chromium;
  private Profile alices;
  private Profile bobs;
  private ChatPage alice;
  private ChatPage bob;
  private int port;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    port = nodes.add(TestConfig.with(nodes.config(), "http.origins", List.of("own"))).port();
    chromium = Chromium.start();
    String address = "http://localhost:" + port;
    alices = chromium.profile(address);
    bobs = chromium.profile(address);
    alice = alices.open("/").signUp("alice", "Alice A.");
    alice.createRoom("Group", "Tea");
    bob = bobs.open(invitation()).signUp("bob", "Bob B.");
    assertThat(bob.log("Tea")).isVisible();
  }

  @AfterAll
  void stop() {
    chromium.close();
    nodes.close();
  }

  /// A link, as it stands behind the address.
  private String invitation() {
    alice.button("Details").click();
    alice.named(AriaRole.TAB, "Invitations").click();
    alice.button("Make a link").click();
    String link = alice.field("Link made. It is shown this once:").inputValue();
    alice.named(AriaRole.COMPLEMENTARY, "Details").getByLabel("Close").click();
    return link.substring(link.indexOf("/#/"));
  }

  private void together() {
    assertThat(alices.faults()).isEmpty();
    assertThat(bobs.faults()).isEmpty();
  }

  @Test
  void whatOneSaysTheOtherHasAtOnceAndTheFirstSeesHowFarItCame() {
    alice.say("Hello Bob");
    assertThat(bob.message("Hello Bob")).isVisible();
    assertThat(alice.state("Hello Bob", "Read")).isVisible();
    bob.say("Hello Alice").say("How are you?");
    assertThat(alice.message("How are you?")).isVisible();
    assertThat(bob.state("How are you?", "Read")).isVisible();
    assertThat(alice.bodies()).containsSubsequence("Hello Bob", "Hello Alice", "How are you?");
    assertThat(bob.bodies()).isEqualTo(alice.bodies());
    together();
  }

  /// Sends a text and remembers the node that shows it before the browser does anything else.
  private static final String SEND =
      """
      async (text) => {
        const box = document.getElementById('composer');
        box.value = text;
        box.dispatchEvent(new Event('input', { bubbles: true }));
        box.form.requestSubmit();
        const shown = () => [...document.querySelectorAll('.message')].findLast((one) => one.querySelector('.body')?.textContent === text);
        for (let i = 0; i < 20 && !shown(); i++) await null;
        window.sent = shown();
        return [window.sent !== undefined, box.value === '', document.activeElement === box, window.sent?.dataset.seq === undefined];
      }""";

  @Test
  void aLineStandsInTheFrameOfItsSendingAndKeepsItsNodeWhenItIsConfirmed() {
    alice.composer().focus();
    assertThat((List<?>) alice.page().evaluate(SEND, "One and the same"))
        .as("shown, the box is empty, it has the focus, not confirmed yet")
        .isEqualTo(List.of(true, true, true, true));
    assertThat(alice.state("One and the same", "Read")).isVisible();
    assertThat(alice.message("One and the same")).hasCount(1);
    assertThat(alice.page().evaluate("sent.isConnected && sent.dataset.seq !== undefined"))
        .isEqualTo(true);
    together();
  }

  @Test
  void aLinkToAMessageLeadsThereAgainAndAgain() {
    alice.say("Far above");
    assertThat(alice.state("Far above", "Read")).isVisible();
    String seq = alice.message("Far above").getAttribute("data-seq");
    for (int i = 1; i <= 30; i++) {
      alice.say("filler " + i);
    }
    bob.say(bob.page().url().replaceFirst("#.*", "") + "#/rooms/" + bob.openRoom() + "/" + seq);
    Locator link = alice.messages().last().getByRole(AriaRole.LINK);
    for (int i = 0; i < 2; i++) {
      link.scrollIntoViewIfNeeded();
      link.click();
      assertThat(alice.message("Far above")).isFocused();
      assertThat(alice.message("Far above")).isInViewport();
      alice.page().getByTestId("pill-down").getByRole(AriaRole.BUTTON).click();
      assertThat(alice.message("Far above")).not().isInViewport();
    }
    assertThat(alice.page()).hasURL(Pattern.compile("/" + seq + "$"));
    alice.page().evaluate("room => { location.hash = '#/rooms/' + room }", bob.openRoom());
    together();
  }

  @Test
  void whatLiesBehindADialogIsNotRead() {
    assertThat(bob.log("Tea")).isVisible();
    bob.openSettings();
    alice.say("Behind the settings");
    assertThat(bob.room("Tea")).containsText("1 unread message");
    assertThat(alice.state("Behind the settings", "Delivered")).isVisible();
    bob.page().keyboard().press("Escape");
    assertThat(alice.state("Behind the settings", "Read")).isVisible();
    assertThat(bob.room("Tea")).not().containsText("unread");
    together();
  }

  @Test
  void whoHasReadTheLastMessageIsKnownAlsoAfterAReload() {
    alice.say("Seen by whom?");
    assertThat(alice.state("Seen by whom?", "Read")).isVisible();
    assertThat(alice.button("Seen by 1")).isVisible();
    alice.page().reload();
    alice.button("Seen by 1").click();
    assertThat(alice.dialog("Who has read it").getByText("@bob")).isVisible();
    alice.page().keyboard().press("Escape");
    together();
  }

  @Test
  void whoeverTypesIsSeenToTypeUntilItIsSent() {
    alice.composer().pressSequentially("I am thinking");
    await() // it is shown for some seconds, in which the machine may stand still
        .until(
            () -> {
              alice.composer().press("!");
              alice.composer().press("Backspace");
              return bob.page().getByText("Alice A. is typing …").first().isVisible();
            });
    alice.composer().press("Enter");
    assertThat(bob.message("I am thinking")).isVisible();
    assertThat(bob.page().getByText("Alice A. is typing …")).hasCount(0);
    together();
  }

  @Test
  void anEditReachesTheOtherWithWhatItSaidBefore() {
    alice.say("I like cofee");
    assertThat(bob.message("I like cofee")).isVisible();
    alice.composer().press("ArrowUp");
    assertThat(alice.composer()).hasValue("I like cofee");
    alice.composer().fill("I like coffee");
    alice.composer().press("Enter");
    assertThat(bob.message("I like coffee")).isVisible();
    assertThat(bob.message("I like cofee")).hasCount(0);
    bob.message("I like coffee").getByText("(edited)").click();
    assertThat(bob.dialog("What it said").getByText("cofee").first()).isVisible();
    bob.page().keyboard().press("Escape");
    together();
  }

  @Test
  void aDeletedMessageIsGoneForBoth() {
    alice.say("Never mind this");
    assertThat(bob.message("Never mind this")).isVisible();
    assertThat(alice.state("Never mind this", "Read")).isVisible();
    alice.choose("Never mind this", "Delete");
    assertThat(bob.message("Never mind this")).hasCount(0);
    assertThat(alice.message("Never mind this")).hasCount(0);
    assertThat(bob.messages().getByText("This message was deleted.").first()).isVisible();
    together();
  }

  @Test
  void aReplyLeadsToWhatItAnswers() {
    bob.say("What time is it?");
    assertThat(alice.message("What time is it?")).isVisible();
    alice.choose("What time is it?", "Reply");
    assertThat(alice.page().getByText("Replying to Bob B.").first()).isVisible();
    alice.say("Tea time");
    Locator quote =
        bob.message("Tea time").getByRole(AriaRole.BUTTON).filter(withText("What time is it?"));
    assertThat(quote).isVisible();
    quote.click();
    assertThat(bob.message("What time is it?").first()).isFocused();
    together();
  }

  private static Locator.FilterOptions withText(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  @Test
  void aMentionStandsOutAndUnreadIsCountedWhileOneIsElsewhere() {
    bob.createRoom("Group", "Elsewhere");
    alice.say("Are you there, @bob?");
    assertThat(bob.room("Tea")).containsText(Pattern.compile("1 mention"));
    assertThat(bob.room("Tea")).containsText(Pattern.compile("1 unread message"));
    assertThat(bob.page()).hasTitle(Pattern.compile("1"));
    bob.enter("Tea");
    assertThat(bob.page().getByTestId("divider")).isVisible();
    assertThat(bob.room("Tea")).not().containsText(Pattern.compile("unread"));
    assertThat(alice.state("Are you there, @bob?", "Read")).isVisible();
    together();
  }

  @Test
  void anInvitationCanBeDeclinedOrTaken() {
    Person carol = ApiClient.person(port, "carol", "Carol C.");
    ApiClient.person(port, "bob", "Bob B.")
        .at(port)
        .ok("PATCH", "/v1/me", new JsonObject().put("invites_from", "shared_rooms"));
    for (String room : List.of("Choir", "Chess")) {
      JsonObject made =
          carol
              .at(port)
              .ok(
                  "POST",
                  "/v1/rooms",
                  new JsonObject()
                      .put("type", "group")
                      .put("name", room)
                      .put("members", new JsonArray().add(account("bob"))));
      assertThat(made.getJsonArray("invited", new JsonArray()).size())
          .as("bob is asked, as he shares no room with carol")
          .isEqualTo(1);
    }
    Locator choir = bob.rooms().getByText(Pattern.compile("asks you to join Choir"));
    Locator chess = bob.rooms().getByText(Pattern.compile("asks you to join Chess"));
    assertThat(choir).isVisible();
    assertThat(chess).isVisible();
    bob.page()
        .locator(".invitation")
        .filter(withText("Choir"))
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Decline"))
        .click();
    bob.page()
        .locator(".invitation")
        .filter(withText("Chess"))
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Join"))
        .click();
    assertThat(choir).hasCount(0);
    assertThat(bob.room("Chess")).isVisible();
    assertThat(bob.room("Choir")).hasCount(0);
    together();
  }

  private String account(String handle) {
    return ApiClient.person(port, "carol", "Carol C.")
        .at(port)
        .ok("GET", "/v1/accounts?handle=" + handle, null)
        .getJsonArray("accounts")
        .getJsonObject(0)
        .getString("account_id");
  }

  @Test
  void whoeverSignsOutLeavesNothingBehind() {
    try (Profile other = chromium.profile("http://localhost:" + port)) {
      ChatPage dora = other.open("/").signUp("dora", "Dora");
      dora.createRoom("Group", "Diary").say("Dear diary");
      assertThat(dora.state("Dear diary", "Sent")).isVisible();
      await().untilAsserted(() -> assertThat(dora.kept()).contains("Dear diary"));
      dora.signOut();
      assertThat(dora.button("Sign in")).isVisible();
      dora.page().reload();
      assertThat(dora.button("Sign in")).isVisible();
      assertThat(dora.page().getByText("Dear diary")).hasCount(0);
      await().untilAsserted(() -> assertThat(dora.kept()).doesNotContain("Dear diary"));
      dora.signIn("dora").enter("Diary");
      assertThat(dora.message("Dear diary")).isVisible();
      assertThat(other.faults()).isEmpty();
    }
  }

  /// Keeps the browser's database busy for as long as the page is there, so that nothing that is
  /// kept can be forgotten.
  private static final String HOLD =
      """
      async () => {
        const [{ name }] = await indexedDB.databases();
        const opening = indexedDB.open(name);
        await new Promise((done) => { opening.onsuccess = done; });
        const database = opening.result;
        const store = database.transaction([...database.objectStoreNames], 'readwrite').objectStore('about');
        const hold = () => { store.get('nothing').onsuccess = hold; };
        await new Promise((held) => { store.get('nothing').onsuccess = () => { hold(); held(); }; });
      }""";

  @Test
  void whoeverSignsOutIsSignedOutAlsoInAPageThatIsReloadedBeforeTheBrowserForgot() {
    try (Profile other = chromium.profile("http://localhost:" + port)) {
      ChatPage fay = other.open("/").signUp("fay", "Fay");
      fay.createRoom("Group", "Ledger").say("Dear ledger");
      assertThat(fay.state("Dear ledger", "Sent")).isVisible();
      await().untilAsserted(() -> assertThat(fay.kept()).contains("Dear ledger"));
      fay.page().evaluate(HOLD);
      fay.signOut();
      assertThat(fay.button("Sign in")).isVisible();
      fay.page().reload();
      assertThat(fay.button("Sign in")).isVisible();
      await().untilAsserted(() -> assertThat(fay.kept()).doesNotContain("Dear ledger"));
      fay.signIn("fay").enter("Ledger");
      assertThat(fay.message("Dear ledger")).isVisible();
      assertThat(other.faults()).isEmpty();
    }
  }
}
