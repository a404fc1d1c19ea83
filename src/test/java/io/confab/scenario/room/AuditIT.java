package io.confab.scenario.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.WireName;
import io.confab.room.AuditAction;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// The audit log of a room, as its owner reads it.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditIT {
  private static final long LATER = 4_000_000_000_000L;

  private final List<Entry> done = new ArrayList<>();
  private Nodes nodes;
  private Person ann;
  private Person bob;
  private Person cyd;
  private String room;

  /// What an entry says, but for its number and time.
  private record Entry(
      String action, String actor, @Nullable String account, @Nullable JsonObject data) {
    static Entry of(JsonObject json) {
      return new Entry(
          json.getString("action"),
          json.getString("actor_id"),
          json.getString("account_id"),
          json.getJsonObject("data"));
    }
  }

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
    cyd = ApiClient.person(nodes.port(0), "cyd", "Cyd");
    JsonObject group =
        json("type", "group")
            .put("name", "audited")
            .put("members", new JsonArray().add(bob.accountId()));
    room = ann.at(nodes.port(0)).ok("POST", "/v1/rooms", group).getString("room_id");
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private JsonObject call(Person who, String method, String path, @Nullable JsonObject body) {
    return who.at(nodes.port(0)).ok(method, "/v1/rooms/" + room + path, body);
  }

  private static JsonObject json(String key, Object value) {
    return new JsonObject().put(key, value);
  }

  private void did(
      Person actor, AuditAction action, @Nullable Person to, @Nullable JsonObject data) {
    done.add(new Entry(action.wire(), actor.accountId(), to == null ? null : to.accountId(), data));
  }

  @Test
  void everyActionStandsInItOnceWithWhoDidWhatToWhom() {
    moderate();
    handOver();
    runAsTheNewOwner();

    assertThat(
            call(bob, "GET", "/audit", null).getJsonArray("entries").stream()
                .map(entry -> Entry.of((JsonObject) entry)))
        .containsExactlyElementsOf(done);
    assertThat(done)
        .extracting(Entry::action)
        .containsExactlyInAnyOrderElementsOf(
            WireName.constants(AuditAction.class).map(AuditAction::wire).toList());
  }

  private void moderate() {
    String member = "/members/" + cyd.accountId();
    String mute = "/mutes/" + cyd.accountId();
    String ban = "/bans/" + cyd.accountId();
    call(ann, "PUT", member, new JsonObject());
    did(ann, AuditAction.MEMBER_ADDED, cyd, json("role", "member"));
    call(ann, "PUT", mute, json("until", LATER));
    did(ann, AuditAction.MEMBER_MUTED, cyd, json("until", LATER));
    call(ann, "DELETE", mute, null);
    did(ann, AuditAction.MEMBER_UNMUTED, cyd, null);
    call(ann, "DELETE", member, null);
    did(ann, AuditAction.MEMBER_REMOVED, cyd, null);
    call(ann, "PUT", ban, json("reason", "noise"));
    did(ann, AuditAction.MEMBER_BANNED, cyd, json("reason", "noise"));
    call(ann, "DELETE", ban, null);
    did(ann, AuditAction.MEMBER_UNBANNED, cyd, null);
  }

  private void handOver() {
    call(ann, "PUT", "/members/" + bob.accountId(), json("role", "admin"));
    did(ann, AuditAction.MEMBER_ROLE, bob, json("role", "admin"));
    call(ann, "PUT", "/owner/" + bob.accountId(), null);
    did(ann, AuditAction.OWNER_CHANGED, bob, null);
  }

  private void runAsTheNewOwner() {
    JsonObject said = call(ann, "POST", "/messages", json("client_id", "c").put("body", "words"));
    call(bob, "DELETE", "/messages/" + said.getInteger("seq"), null);
    did(bob, AuditAction.MESSAGE_DELETED, ann, json("seq", said.getInteger("seq")));
    JsonObject settings = json("slow_mode_s", 5).put("capacity", 1).put("read_outside", false);
    call(bob, "PATCH", "", settings);
    did(bob, AuditAction.ROOM_CHANGED, null, json("settings", settings));
    String invite = call(bob, "POST", "/invites", null).getString("invite_id");
    did(bob, AuditAction.INVITE_MADE, null, json("invite_id", invite));
    call(bob, "DELETE", "/invites/" + invite, null);
    did(bob, AuditAction.INVITE_DELETED, null, json("invite_id", invite));
    pastTheLine();
    call(bob, "DELETE", "", null);
    did(bob, AuditAction.ROOM_ARCHIVED, null, null);
  }

  private void pastTheLine() {
    doToSeat("PUT", AuditAction.SEAT_LET_IN);
    doToSeat("DELETE", AuditAction.SEAT_REMOVED);
  }

  /// Again while the node does not know whether Redis has the seats, as one that has just started,
  /// or stood still. What it could not do then may stand in the audit already.
  private void doToSeat(String method, AuditAction action) {
    String path = "/v1/rooms/" + room + "/seats/" + ann.accountId();
    await()
        .until(
            () -> {
              nodes
                  .database()
                  .execute("DELETE FROM room_audit WHERE action = '" + action.wire() + "'");
              return bob.at(nodes.port(0)).call(method, path, null).status();
            },
            status -> status == 200 || status == 204);
    did(bob, action, ann, null);
  }
}
