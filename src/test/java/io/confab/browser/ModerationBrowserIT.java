package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// The owner of a channel, and a member who is in for it.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ModerationBrowserIT {
  private static final String SLOW =
      "Slow mode: seconds between two messages of a member (0: none)";

  private Nodes nodes;
  private Chromium chromium;
  private Profile owners;
  private Profile members;
  private ChatPage owner;
  private ChatPage member;
  private String address;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    int port = nodes.add(TestConfig.with(nodes.config(), "http.origins", List.of("own"))).port();
    chromium = Chromium.start();
    address = "http://localhost:" + port;
    owners = chromium.profile(address);
    members = chromium.profile(address);
    owner = owners.open("/").signUp("olga", "Olga");
    member = members.open("/").signUp("max", "Max");
  }

  @AfterAll
  void stop() {
    chromium.close();
    nodes.close();
  }

  /// A channel of the owner's that the member is in.
  private void channel(String name) {
    owner.createRoom("Channel", name);
    join(name);
  }

  private void join(String name) {
    member.page().navigate("/#/rooms/" + owner.openRoom());
    member.button("Join").click();
    assertThat(member.log(name)).isVisible();
  }

  private void choose(String choice) {
    owner.openDetails("Members");
    owner.button("Actions for Max").click();
    owner.named(AriaRole.MENUITEM, choice).click();
  }

  private void confirm(String what) {
    owner
        .dialog(what)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(what).setExact(true))
        .click();
  }

  private void allIsWell() {
    assertThat(owners.faults()).isEmpty();
    assertThat(members.faults()).isEmpty();
  }

  @Test
  void whoeverIsMutedReadsEverywhereThatTheyMayNotWriteYet() {
    channel("Hush");
    choose("Mute for an hour");
    Locator closed = member.page().getByText(Pattern.compile("You may write here again"));
    assertThat(closed).isVisible();
    assertThat(member.composer()).hasCount(0);
    member.page().reload();
    assertThat(closed).isVisible();
    assertThat(member.composer()).hasCount(0);
    try (Profile elsewhere = chromium.profile(address)) {
      ChatPage page = elsewhere.open("/").signIn("max").enter("Hush");
      assertThat(page.page().getByText(Pattern.compile("You may write here again"))).isVisible();
      assertThat(page.composer()).hasCount(0);
    }
    choose("Let speak again");
    assertThat(closed).hasCount(0);
    member.say("At last");
    assertThat(owner.message("At last")).isVisible();
    allIsWell();
  }

  @Test
  void slowModeCountsDownAndKeepsWhatWasWritten() {
    channel("Calm");
    owner.openDetails("About");
    owner.field(SLOW).fill("600");
    owner.button("Save").click();
    member.say("one");
    assertThat(owner.message("one")).isVisible();
    member.composer().fill("two");
    assertThat(member.button("Send")).hasCount(0);
    assertThat(member.page().getByText(Pattern.compile("Slow mode: the next message"))).isVisible();
    member.composer().press("Enter");
    assertThat(member.composer()).hasValue("two");
    owner.field(SLOW).fill("0");
    owner.button("Save").click();
    assertThat(member.button("Send")).isVisible();
    member.composer().press("Enter");
    assertThat(owner.message("two")).isVisible();
    allIsWell();
  }

  @Test
  void whoeverIsRemovedIsToldAndMayComeBackButNotWhoeverIsBanned() {
    channel("Door");
    choose("Remove from the room");
    confirm("Remove from the room");
    assertThat(member.page().getByText("You were removed from Door.")).isVisible();
    assertThat(member.room("Door")).hasCount(0);
    join("Door");

    choose("Ban from the room");
    owner.field("Reason (may be left out)").fill("Slammed it");
    confirm("Ban from the room");
    assertThat(member.page().getByText("You were banned from Door.")).isVisible();
    assertThat(member.page().getByText(Pattern.compile("There is no such room"))).isVisible();
    owner.openDetails("Bans");
    assertThat(owner.page().getByText("Slammed it")).isVisible();
    owner.button("Unban").click();
    assertThat(owner.page().getByText("Nobody is banned.")).isVisible();
    member.page().reload();
    join("Door");
    allIsWell();
  }
}
