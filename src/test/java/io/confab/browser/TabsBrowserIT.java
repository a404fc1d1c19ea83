package io.confab.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Several tabs of one profile: one sign-in, one device, one socket, one state.
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TabsBrowserIT {
  private static final Pattern OPEN =
      Pattern.compile("(?m)^confab_sockets_open(?:\\{.*\\})? (.*)$");

  private Nodes nodes;
  private Chromium chromium;
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

  private int sockets() {
    Matcher meter = OPEN.matcher(nodes.metrics(0));
    assertThat(meter.find()).isTrue();
    return (int) Double.parseDouble(meter.group(1));
  }

  private void say(Person speaker, String room, String text) {
    speaker
        .at(port)
        .ok(
            "POST",
            "/v1/rooms/" + room + "/messages",
            new JsonObject().put("client_id", "c-" + text.replace(' ', '-')).put("body", text));
  }

  @Test
  void tabsShareASocketAndWhenOneClosesTheOthersMissNothing() {
    Person speaker = ApiClient.person(port, "speaker", "Speaker");
    String room = speaker.at(port).channel("Radio");
    try (Profile profile = chromium.profile("http://localhost:" + port)) {
      ChatPage first = profile.open("/").signUp("listener", "Listener");
      ApiClient.person(port, "listener", "Listener").at(port).join(room);
      first.enter("Radio");
      ChatPage second = profile.open("/#/rooms/" + room);
      ChatPage third = profile.open("/#/rooms/" + room);
      say(speaker, room, "to all");
      for (ChatPage tab : List.of(first, second, third)) {
        assertThat(tab.message("to all")).isVisible();
      }
      await().until(() -> sockets() == 1);

      second.say("from the second");
      assertThat(first.message("from the second")).isVisible();
      assertThat(third.message("from the second")).isVisible();

      for (int i = 1; i <= 30; i++) {
        say(speaker, room, "through " + i);
        if (i == 10) {
          first.close();
        } else if (i == 20) {
          second.close();
        }
      }
      assertThat(third.message("through 30")).isVisible();
      assertThat(third.bodies().stream().filter(body -> body.startsWith("through ")))
          .isEqualTo(IntStream.rangeClosed(1, 30).mapToObj(i -> "through " + i).toList());
      await().until(() -> sockets() == 1);
      third.say("still here");
      assertThat(third.state("still here", "Sent").or(third.state("still here", "Delivered")))
          .isVisible();
      assertThat(profile.faults()).isEmpty();
    }
    await().until(() -> sockets() == 0);
  }

  @Test
  void twoProfilesAreTwoDevicesAndEndWithTheSameLog() {
    try (Profile one = chromium.profile("http://localhost:" + port);
        Profile other = chromium.profile("http://localhost:" + port)) {
      ChatPage here = one.open("/").signUp("twice", "Twice");
      here.createRoom("Group", "Mirror");
      ChatPage there = other.open("/").signIn("twice").enter("Mirror");
      for (int i = 1; i <= 10; i++) {
        (i % 2 == 0 ? here : there).say("line " + i);
        assertThat((i % 2 == 0 ? there : here).message("line " + i)).isVisible();
      }
      assertThat(here.bodies()).hasSize(10).isEqualTo(there.bodies());
      assertThat(one.faults()).isEmpty();
      assertThat(other.faults()).isEmpty();
    }
  }

  @Test
  void whoSignsOutInOneTabIsSignedOutInAll() {
    try (Profile profile = chromium.profile("http://localhost:" + port)) {
      ChatPage first = profile.open("/").signUp("leaver", "Leaver");
      ChatPage second = profile.open("/");
      assertThat(second.rooms()).isVisible();
      second.signOut();
      assertThat(first.button("Sign in")).isVisible();
      assertThat(second.button("Sign in")).isVisible();
    }
  }
}
