package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.confab.scenario.ApiClient;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/// A tab with the web client, in the words of who uses it.
final class ChatPage implements AutoCloseable {
  private final Page page;

  ChatPage(Page page) {
    this.page = page;
  }

  Page page() {
    return page;
  }

  Locator named(AriaRole role, String name) {
    return named(role, name, true);
  }

  /// @param whole whether it has this name and no longer one
  Locator named(AriaRole role, String name, boolean whole) {
    return page.getByRole(role, new Page.GetByRoleOptions().setName(name).setExact(whole));
  }

  Locator button(String name) {
    return named(AriaRole.BUTTON, name);
  }

  Locator field(String label) {
    return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
  }

  /// Makes an account, whose password is that of [ApiClient], and is signed in.
  ChatPage signUp(String handle, String name) {
    if (button("I am new here").or(button("I have an account")).textContent().startsWith("I am")) {
      button("I am new here").click();
    }
    field("Handle").fill(handle);
    field("Name").fill(name);
    field("Password").fill(ApiClient.PASSWORD);
    button("Create an account").click();
    assertThat(rooms()).isVisible();
    return this;
  }

  ChatPage signIn(String handle) {
    field("Handle").fill(handle);
    field("Password").fill(ApiClient.PASSWORD);
    button("Sign in").click();
    assertThat(rooms()).isVisible();
    return this;
  }

  /// Signs out in the settings, once these have all that comes later, and a server has said that
  /// it is so.
  ChatPage signOut() {
    openSettings();
    assertThat(dialog("Settings").getByText("this one")).isVisible();
    page.waitForResponse(
        response ->
            response.request().method().equals("DELETE")
                && response.url().endsWith("/v1/tokens")
                && response.status() == 204,
        () -> button("Sign out").click());
    return this;
  }

  /// The list of rooms; it is what the page is about where it has it for itself.
  Locator rooms() {
    return named(AriaRole.NAVIGATION, "Rooms").or(named(AriaRole.MAIN, "Rooms"));
  }

  /// A room in the list.
  Locator room(String title) {
    return rooms()
        .getByRole(AriaRole.LINK)
        .filter(new Locator.FilterOptions().setHas(page.getByText(title, exactText())));
  }

  private static Page.GetByTextOptions exactText() {
    return new Page.GetByTextOptions().setExact(true);
  }

  ChatPage enter(String title) {
    room(title).first().click();
    assertThat(log(title)).isVisible();
    return this;
  }

  /// @param kind as the form calls it, or its beginning
  ChatPage createRoom(String kind, String name) {
    button("New").click();
    named(AriaRole.MENUITEM, "Create a room").click();
    Locator dialog = named(AriaRole.DIALOG, "Create a room");
    dialog.getByLabel(Pattern.compile("^" + kind)).check();
    dialog.getByLabel("Name", new Locator.GetByLabelOptions().setExact(true)).fill(name);
    dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Create")).click();
    assertThat(log(name)).isVisible();
    return this;
  }

  Locator log(String title) {
    return named(AriaRole.LOG, "Messages in " + title);
  }

  Locator log() {
    return page.getByRole(AriaRole.LOG);
  }

  /// Where one writes.
  Locator composer() {
    return page.getByRole(
        AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(Pattern.compile("^Message to ")));
  }

  ChatPage say(String text) {
    composer().fill(text);
    composer().press("Enter");
    return this;
  }

  Locator messages() {
    return log().getByRole(AriaRole.ARTICLE);
  }

  /// Messages with this text.
  Locator message(String text) {
    return messages()
        .filter(
            new Locator.FilterOptions()
                .setHas(page.getByText(text, new Page.GetByTextOptions().setExact(true))));
  }

  Locator message(long seq) {
    return log().locator("[data-seq='" + seq + "']");
  }

  /// How far a message of one's own has come.
  Locator state(String text, String state) {
    return message(text)
        .getByRole(AriaRole.IMG, new Locator.GetByRoleOptions().setName(state).setExact(true));
  }

  /// What stands in the log from top to bottom, without what was deleted.
  List<String> bodies() {
    return log().locator(".message .body:not(.tombstone)").allTextContents();
  }

  /// All of these stand there, sooner or later: names come after what they stand beside.
  static void assertTexts(Locator where, List<String> texts) {
    await()
        .untilAsserted(
            () ->
                org.assertj.core.api.Assertions.assertThat(where.allTextContents())
                    .containsAll(texts));
  }

  /// Chooses from the menu of a message.
  ChatPage choose(String message, String choice) {
    message(message).hover();
    Locator actions =
        message(message).getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("More"));
    actions.click();
    named(AriaRole.MENUITEM, choice).click();
    return this;
  }

  /// The bar that says that there is no connection.
  Locator connectionBar() {
    return page.getByTestId("connection");
  }

  Locator dialog(String title) {
    return named(AriaRole.DIALOG, title);
  }

  /// The id of the room that is open.
  String openRoom() {
    String id = page.url().replaceFirst("^[^#]*#/rooms/([^/]+).*$", "$1");
    return Objects.requireNonNull(id);
  }

  /// Everything that this profile keeps of the client, but its files.
  String kept() {
    return (String)
        page.evaluate(
            """
            async () => {
              const done = (request) => new Promise((resolve, reject) => {
                request.onsuccess = () => resolve(request.result);
                request.onerror = () => reject(request.error);
              });
              const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
              for (const { name } of await indexedDB.databases()) {
                const database = await done(indexedDB.open(name));
                for (const store of database.objectStoreNames) {
                  const all = database.transaction(store).objectStore(store).getAll();
                  kept.push(store, JSON.stringify(await done(all)));
                }
                database.close();
              }
              return kept.join();
            }""");
  }

  /// Nothing that was written became a part of the page.
  void assertPlain() {
    org.assertj.core.api.Assertions.assertThat(page.evaluate("typeof pwned"))
        .isEqualTo("undefined");
    assertThat(page.locator("script:not([src^='/assets/'])")).hasCount(0);
    assertThat(page.locator("iframe, object, embed, base, style, template, marquee, video, audio"))
        .hasCount(0);
    assertThat(page.locator("meta[http-equiv]")).hasCount(0);
  }

  ChatPage openDetails(String tab) {
    if (!named(AriaRole.COMPLEMENTARY, "Details").isVisible()) {
      button("Details").click();
    }
    named(AriaRole.TAB, tab).click();
    return this;
  }

  ChatPage openSettings() {
    rooms().getByRole(AriaRole.BUTTON).first().click();
    assertThat(dialog("Settings")).isVisible();
    return this;
  }

  /// Where an element begins, in pixels from the top of the window.
  double top(Locator element) {
    return ((Number) element.evaluate("e => e.getBoundingClientRect().top")).doubleValue();
  }

  @Override
  public void close() {
    page.close();
  }
}
