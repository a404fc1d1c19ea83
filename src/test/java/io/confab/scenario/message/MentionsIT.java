package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Who is mentioned, as everybody hears and reads it. Ann owns the rooms; Bob, Cas and Dora are at
/// another node.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MentionsIT {
  private static final int MOST_FOR_ALL = 32;

  private Nodes nodes;
  private Person ann;
  private Person bob;
  private Person cas;
  private Person dora;

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    bob = ApiClient.person(nodes.port(1), "bob", "Bob");
    cas = ApiClient.person(nodes.port(1), "c.a-s", "Cas");
    dora = ApiClient.person(nodes.port(1), "dora", "Dora");
    nodes
        .database()
        .execute(
            """
            INSERT INTO account (account_id, handle, display_name)
              SELECT i, 'member' || i, 'Member' FROM generate_series(1, %d) i
            """
                .formatted(MOST_FOR_ALL));
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// A channel of Ann, Bob and Cas.
  private String room(String name) {
    String room = ann.at(nodes.port(0)).channel(name);
    Stream.of(bob, cas).forEach(person -> person.at(nodes.port(1)).join(room));
    return room;
  }

  private static List<Object> mentions(JsonObject message) {
    JsonArray mentions = message.getJsonArray("mentions");
    return mentions == null ? List.of() : mentions.stream().toList();
  }

  private static Object[] ids(Person... people) {
    return Stream.of(people).map(Person::accountId).sorted().toArray();
  }

  /// Sends and answers the message as another member at another node hears it.
  private JsonObject heard(ChatClient from, ChatClient by, String room, String id, String body) {
    JsonObject ack = ChatClient.get(from.send(room, id, body));
    assertThat(ack.getString("type")).as("%s", ack).isEqualTo("message.ack");
    by.awaitRev(room, ack.getLong("rev"));
    return by.events(room).stream()
        .filter(event -> id.equals(event.getString("client_id")))
        .findFirst()
        .orElseThrow();
  }

  private JsonObject read(Person who, String room, long seq) {
    return who.at(nodes.port(1)).ok("GET", "/v1/rooms/" + room + "/messages/" + seq, null);
  }

  @Test
  void membersWhoAreNamedAreMentionedAndCodeAddressesAndOthersAreNot() {
    String room = room("named");
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    ChatClient b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());

    JsonObject both = heard(a, b, room, "n1", "hi @Bob, ask @c.a-s. (@bob knows)");
    assertThat(mentions(both)).containsExactly(ids(bob, cas));
    assertThat(mentions(heard(a, b, room, "n2", "`@bob` ann@bob.org @ann\n```\n@bob\n```")))
        .isEmpty();
    assertThat(mentions(heard(a, b, room, "n3", "@dora is not here, nor is @nobody"))).isEmpty();
    assertThat(heard(a, b, room, "n4", "plain").containsKey("mentions")).isFalse();

    assertThat(mentions(read(bob, room, 1))).containsExactly(ids(bob, cas));
    JsonObject listed =
        bob.at(nodes.port(1)).ok("GET", "/v1/rooms", null).getJsonArray("rooms").stream()
            .map(JsonObject.class::cast)
            .filter(each -> each.getString("room_id").equals(room))
            .findFirst()
            .orElseThrow();
    assertThat(mentions(listed.getJsonObject("last_message"))).isEmpty();
    assertThat(bob.at(nodes.port(1)).text("/v1/rooms/" + room + "/export"))
        .contains("\"mentions\":[\"");
    assertThat(
            bob.at(nodes.port(1))
                .ok(
                    "GET",
                    "/v1/rooms/" + room + "/events?epoch=" + epoch(room) + "&after_rev=3",
                    null)
                .getJsonArray("events")
                .getJsonObject(0)
                .getJsonArray("mentions"))
        .isEqualTo(both.getJsonArray("mentions"));
    ChatClient late = ChatClient.hello(nodes.vertx(), nodes.port(1), cas.token());
    late.resume(true, ChatClient.point(room, epoch(room), 3));
    late.awaitRev(room, 7);
    assertThat(mentions(late.events(room).getFirst())).containsExactly(ids(bob, cas));
  }

  private long epoch(String room) {
    return bob.at(nodes.port(1)).ok("GET", "/v1/rooms/" + room, null).getLong("epoch");
  }

  @Test
  void anEditMentionsAnewAndATombstoneNobody() {
    String room = room("edited");
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    ChatClient b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    heard(a, b, room, "e1", "@bob");
    b.awaitRev(room, ChatClient.get(a.edit(room, 1, "e2", "@c.a-s and @all")).getLong("rev"));
    JsonObject edit = b.events(room).getLast().getJsonObject("message");
    assertThat(mentions(edit)).containsExactly("@all", cas.accountId());
    JsonObject patched =
        ann.at(nodes.port(0))
            .ok(
                "PATCH",
                "/v1/rooms/" + room + "/messages/1",
                new JsonObject().put("client_id", "e3").put("body", "@online @bob"));
    assertThat(mentions(patched)).containsExactly("@online", bob.accountId());
    ChatClient.get(a.delete(room, 1));
    assertThat(read(bob, room, 1).containsKey("deleted_at")).isTrue();
    assertThat(mentions(read(bob, room, 1))).isEmpty();
  }

  @Test
  void whoHasBlockedSomebodyIsNotMentionedByThem() {
    String room = room("blocked");
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    ChatClient b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    cas.at(nodes.port(1)).ok("PUT", "/v1/blocks/" + ann.accountId(), null);

    assertThat(mentions(heard(a, b, room, "b1", "@bob @c.a-s"))).containsExactly(ids(bob));
    assertThat(mentions(heard(b, a, room, "b2", "@c.a-s"))).containsExactly(ids(cas));

    cas.at(nodes.port(1)).ok("DELETE", "/v1/blocks/" + ann.accountId(), null);
    assertThat(mentions(heard(a, b, room, "b3", "@c.a-s"))).containsExactly(ids(cas));
  }

  @Test
  void everybodyIsMentionedByAnyoneInASmallRoomAndByAdminsInABigOne() {
    String room = room("everybody");
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    ChatClient b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    assertThat(mentions(heard(b, a, room, "a1", "@all @online")))
        .containsExactly("@online", "@all");

    grow(room);
    assertThat(mentions(heard(b, a, room, "a2", "@all @online @ann"))).containsExactly(ids(ann));
    assertThat(mentions(heard(a, b, room, "a3", "@all"))).containsExactly("@all");
    ann.at(nodes.port(0))
        .ok(
            "PUT",
            "/v1/rooms/" + room + "/members/" + bob.accountId(),
            new JsonObject().put("role", "admin"));
    assertThat(mentions(heard(b, a, room, "a4", "@all"))).containsExactly("@all");
  }

  /// Adds people until the room is too big for everybody to call all.
  private void grow(String room) {
    nodes
        .database()
        .execute(
            """
            INSERT INTO room_member (room_id, account_id, role)
              SELECT %1$d, i, 'member' FROM generate_series(1, %2$d) i;
            UPDATE room SET member_count = member_count + %2$d WHERE room_id = %1$d
            """
                .formatted(RoomId.parse(room).value(), MOST_FOR_ALL));
  }

  @Test
  void whatOneMayNotSeeTellsNothing() {
    String room = ann.at(nodes.port(0)).channel("hidden");
    ann.at(nodes.port(0))
        .ok("PATCH", "/v1/rooms/" + room, new JsonObject().put("history", "since_join"));
    bob.at(nodes.port(1)).join(room);
    ChatClient a = ChatClient.live(nodes.vertx(), nodes.port(0), ann.token());
    ChatClient b = ChatClient.live(nodes.vertx(), nodes.port(1), bob.token());
    heard(a, b, room, "h1", "@bob @all");
    dora.at(nodes.port(1)).join(room);

    JsonArray events =
        dora.at(nodes.port(1))
            .ok("GET", "/v1/rooms/" + room + "/events?epoch=" + epoch(room) + "&after_rev=0", null)
            .getJsonArray("events");
    assertThat(events.encode()).contains("hidden").doesNotContain("mentions");
  }
}
