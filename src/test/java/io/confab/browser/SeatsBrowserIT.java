package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

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

/// Two people before a room with one seat.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeatsBrowserIT {
  private Nodes nodes;
  private Chromium chromium;
  private Profile owners;
  private Profile members;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    int port = nodes.add(TestConfig.with(nodes.config(), "http.origins", List.of("own"))).port();
    chromium = Chromium.start();
    owners = chromium.profile("http://localhost:" + port);
    members = chromium.profile("http://localhost:" + port);
  }

  @AfterAll
  void stop() {
    chromium.close();
    nodes.close();
  }

  @Test
  void whoeverWaitsSeesTheirPlaceAndWalksInByThemselves() {
    ChatPage owner = owners.open("/").signUp("olga", "Olga");
    ChatPage member = members.open("/").signUp("max", "Max");
    owner.createRoom("Channel", "Stage");
    member.page().navigate("/#/rooms/" + owner.openRoom());
    member.button("Join").click();
    assertThat(member.log("Stage")).isVisible();
    owner.openDetails("About");
    owner.field("How many can be inside at once (0: all)").fill("1");
    owner.button("Save").click();
    owner.button("Enter").click();
    assertThat(owner.composer()).isVisible();

    assertThat(member.page().getByTestId("waiting")).isVisible();
    assertThat(member.composer()).hasCount(0);
    member.button("Enter").click();
    assertThat(member.page().getByText("Place 1 of 1 in the line.")).isVisible();
    assertThat(member.page()).hasTitle(Pattern.compile("^1/1 · .*Stage"));
    member.page().reload();
    assertThat(member.page().getByText("Place 1 of 1 in the line.")).isVisible();

    owner.button("Give up the seat").click();
    assertThat(member.composer()).isVisible();
    assertThat(member.log("Stage")).isVisible();
    assertThat(owner.page().getByTestId("waiting")).isVisible();
    assertThat(owners.faults()).isEmpty();
    assertThat(members.faults()).isEmpty();
  }
}
