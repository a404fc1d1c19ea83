package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// A deletion whose answer was lost is made again, and is answered as the first one was. It leaves
/// no second trace.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepeatedDeletionIT {
  private static final String KEY = "the key of the house";

  private Nodes nodes;
  private Person ada;
  private Person bob;
  private String room;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    nodes.add(TestConfig.with(nodes.config(), "api_key", Optional.of(new Secret(KEY))));
    ada = ApiClient.person(nodes.port(0), "ada", "Ada");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
    JsonObject fields =
        new JsonObject()
            .put("type", "group")
            .put("name", "Tea")
            .put("members", new JsonArray().add(bob.accountId()));
    room = "/v1/rooms/" + at(ada).ok("POST", "/v1/rooms", fields).getString("room_id");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private ApiClient at(Person person) {
    return person.at(nodes.port(0));
  }

  @Test
  void everyDeletionMayBeRepeated() {
    ApiClient api = at(ada);
    String bobs = "/" + bob.accountId();
    api.ok("PUT", room + "/mutes" + bobs, new JsonObject().put("until", 4_000_000_000_000L));
    String code = api.ok("POST", room + "/invites", null).getString("code");
    api.ok("PUT", "/v1/blocks" + bobs, null);
    ApiClient.signIn(nodes.port(0), "ada", "other");
    twice(room + "/mutes" + bobs);
    twice(room + "/invites/" + code);
    twice("/v1/blocks" + bobs);
    twice("/v1/devices/other");
    twice(room + "/members" + bobs);
    api.ok("PUT", room + "/bans" + bobs, null);
    twice(room + "/bans" + bobs);
    twice("/v1/me/invitations/" + room.substring(room.lastIndexOf('/') + 1));
    String message =
        room
            + "/messages/"
            + api.ok(
                    "POST",
                    room + "/messages",
                    new JsonObject().put("client_id", "c").put("body", "Hi"))
                .getInteger("seq");
    api.ok("DELETE", message, null);
    Answer again = api.call("DELETE", message, null);
    assertThat(again.status()).isEqualTo(410);
    assertThat(again.code()).isEqualTo("gone");
    twice(room);

    List<String> deeds =
        api.ok("GET", room + "/audit", null).getJsonArray("entries").stream()
            .map(entry -> ((JsonObject) entry).getString("action"))
            .toList();
    assertThat(deeds)
        .doesNotHaveDuplicates()
        .contains("member.unmuted", "invite.deleted", "member.removed", "room.archived");
  }

  @Test
  void anAccountIsRemovedOnceAndAnsweredSoTwice() {
    ApiClient backend = ApiClient.withHeaders(nodes.port(0), Map.of("authorization", "Key " + KEY));
    Person gone = ApiClient.person(nodes.port(0), "gone", "Gone");
    for (int i = 0; i < 2; i++) {
      assertThat(backend.call("DELETE", "/v1/admin/accounts/" + gone.accountId(), null).status())
          .as("call %d", i)
          .isEqualTo(204);
    }
  }

  private void twice(String path) {
    for (int i = 0; i < 2; i++) {
      assertThat(at(ada).call("DELETE", path, null).status()).as("%d: %s", i, path).isEqualTo(204);
    }
  }

  @Test
  void onlyWhoMayDeleteIsAnsweredSo() {
    String foreign =
        at(ada)
            .ok("POST", "/v1/rooms", new JsonObject().put("type", "group").put("name", "Own"))
            .getString("room_id");
    for (String what : List.of("", "/members/" + ada.accountId(), "/bans/0", "/invites/x")) {
      Answer answer = at(bob).call("DELETE", "/v1/rooms/" + foreign + what, null);
      assertThat(answer.status()).as(what).isEqualTo(404);
    }
  }
}
