package io.confab.scenario.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// People who do not want to be added are asked, and hear of it on their sockets.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InvitationsIT {
  private static final String INVITATIONS = "/v1/me/invitations";

  private Nodes nodes;
  private Person ada;
  private Person bob;
  private String room;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    ada = ApiClient.person(nodes.port(0), "ada", "Ada");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
    assertThat(
            at(bob)
                .ok("PATCH", "/v1/me", new JsonObject().put("invites_from", "nobody"))
                .getString("invites_from"))
        .isEqualTo("nobody");
    room = make().body().getString("room_id");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private ApiClient at(Person person) {
    return person.at(nodes.port(0));
  }

  private Answer make() {
    return at(ada)
        .call(
            "POST",
            "/v1/rooms",
            new JsonObject()
                .put("type", "group")
                .put("name", "Tea")
                .put("members", new JsonArray().add(bob.accountId())));
  }

  @Test
  void whoIsAskedHearsOfItAndAnswers() {
    ChatClient socket = ChatClient.live(nodes.vertx(), nodes.port(0), bob.token());
    Answer made = make();
    assertThat(made.body().getJsonArray("invited")).containsExactly(bob.accountId());
    String other = made.body().getString("room_id");
    assertThat(socket.awaitFrame("invitation"))
        .isEqualTo(
            new JsonObject()
                .put("type", "invitation")
                .put("room_id", other)
                .put("name", "Tea")
                .put("invited_by", ada.accountId()));

    assertThat(at(bob).call("DELETE", INVITATIONS + "/" + other, null).status()).isEqualTo(204);
    assertThat(socket.awaitFrame("invitation.ended").getString("room_id")).isEqualTo(other);
    assertThat(at(ada).call("PUT", member(other), null).code()).isEqualTo("conflict");

    Answer again = at(ada).call("PUT", member(room), null);
    assertThat(again.status()).isEqualTo(202);
    assertThat(again.body())
        .isEqualTo(new JsonObject().put("account_id", bob.accountId()).put("invited", true));
    assertThat(at(bob).ok("GET", INVITATIONS, null).getJsonArray("invitations")).hasSize(1);
    assertThat(at(bob).ok("POST", INVITATIONS + "/" + room, null).getString("role"))
        .isEqualTo("member");
    assertThat(socket.awaitFrame("room.added").getJsonObject("room").getString("room_id"))
        .isEqualTo(room);
  }

  @Test
  void whoBlocksTheOneThatAsksHearsThatTheInvitationEnded() {
    Person cyd = ApiClient.person(nodes.port(0), "cyd", "Cyd");
    String group =
        at(cyd)
            .ok("POST", "/v1/rooms", new JsonObject().put("type", "group").put("name", "Spam"))
            .getString("room_id");
    assertThat(at(cyd).call("PUT", member(group), null).status()).isEqualTo(202);
    ChatClient socket = ChatClient.live(nodes.vertx(), nodes.port(0), bob.token());
    assertThat(at(bob).call("PUT", "/v1/blocks/" + cyd.accountId(), null).status()).isEqualTo(200);
    assertThat(socket.awaitFrame("invitation.ended").getString("room_id")).isEqualTo(group);
    assertThat(at(bob).ok("GET", INVITATIONS, null).toString()).doesNotContain(group);
  }

  private String member(String of) {
    return "/v1/rooms/" + of + "/members/" + bob.accountId();
  }
}
