package io.confab.marker;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.marker.UnreadModel.Count;
import io.confab.marker.UnreadModel.Member;
import io.confab.marker.UnreadModel.Said;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A few people in a few rooms on two nodes, beside the model of what they have read. For one
/// thread.
final class UnreadWorld {
  private static final int PEOPLE = 5;
  private static final int ROOMS = 4;
  private static final int OPEN = 3;

  private final String name;
  private final Nodes nodes;
  private final Random random;
  private final List<Person> people = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private final List<UnreadModel> rooms = new ArrayList<>();
  private int step;

  /// @param name begins the handles of its people, and of nobody else
  UnreadWorld(String name, Nodes nodes, long seed) {
    this.name = name;
    this.nodes = nodes;
    this.random = new Random(seed);
    makeWorld();
  }

  String name() {
    return name;
  }

  private ApiClient at(int person) {
    return people.get(person).at(nodes.port(random.nextInt(2)));
  }

  private void makeWorld() {
    for (int i = 0; i < PEOPLE; i++) {
      people.add(ApiClient.person(nodes.port(0), handle(i), "P"));
    }
    for (int i = 0; i < ROOMS; i++) {
      UnreadModel room = new UnreadModel();
      room.sinceJoin = i == 1;
      JsonObject settings =
          new JsonObject()
              .put("type", i == OPEN ? "channel" : "group")
              .put("name", name + " room " + i)
              .put("history", room.sinceJoin ? "since_join" : "all");
      ids.add(at(0).ok("POST", "/v1/rooms", settings).getString("room_id"));
      rooms.add(room);
      room.join(0);
      for (int p = 1; p < PEOPLE; p++) {
        add(i, p);
      }
    }
  }

  private String handle(int person) {
    return name + "p" + person;
  }

  private String path(int room) {
    return "/v1/rooms/" + ids.get(room);
  }

  private void add(int room, int person) {
    if (room == OPEN) {
      at(person).join(ids.get(room));
    } else {
      String code =
          at(0)
              .ok("POST", path(room) + "/invites", new JsonObject().put("max_uses", 1))
              .getString("code");
      at(person).ok("POST", "/v1/invites/" + code, null);
    }
    rooms.get(room).join(person);
  }

  /// The owner stays, the others come and go.
  void operate() {
    step++;
    int room = random.nextInt(ROOMS);
    int person = random.nextInt(PEOPLE);
    UnreadModel model = rooms.get(room);
    Member member = model.members.get(person);
    if (member == null) {
      add(room, person);
      return;
    }
    switch (random.nextInt(40)) {
      case 0 -> leave(room, person);
      case 1 -> kick(room, person);
      case 2 -> ban(room, person);
      case 3 -> changeHistory(room);
      case 4, 5, 6 -> edit(room, person);
      case 7, 8, 9 -> delete(room, person);
      case 10, 11, 12, 13 -> markUnread(room, person);
      case 14, 15, 16, 17, 18, 19, 20 -> read(room, person);
      default -> send(room, person);
    }
  }

  private void leave(int room, int person) {
    if (person != 0) {
      at(person).ok("DELETE", path(room) + "/members/me", null);
      rooms.get(room).members.remove(person);
    }
  }

  private void kick(int room, int person) {
    if (person != 0) {
      at(0).ok("DELETE", path(room) + "/members/" + people.get(person).accountId(), null);
      rooms.get(room).members.remove(person);
    }
  }

  private void ban(int room, int person) {
    if (person != 0) {
      String ban = path(room) + "/bans/" + people.get(person).accountId();
      at(0).ok("PUT", ban, new JsonObject());
      at(0).ok("DELETE", ban, null);
      rooms.get(room).members.remove(person);
    }
  }

  private void changeHistory(int room) {
    UnreadModel model = rooms.get(room);
    model.sinceJoin = !model.sinceJoin;
    at(0)
        .ok(
            "PATCH",
            path(room),
            new JsonObject().put("history", model.sinceJoin ? "since_join" : "all"));
  }

  private void send(int room, int person) {
    Said said = new Said(person);
    JsonObject message =
        new JsonObject().put("client_id", "c" + step).put("body", body(room, said));
    at(person).ok("POST", path(room) + "/messages", message);
    rooms.get(room).messages.add(said);
  }

  /// A text, with mentions that are noted.
  private String body(int room, Said said) {
    Set<Integer> mentions = new HashSet<>();
    StringBuilder body = new StringBuilder("Hello " + step);
    said.mentionsAll = random.nextInt(10) == 0;
    if (said.mentionsAll) {
      body.append(" @all");
    }
    for (int p = 0; p < PEOPLE; p++) {
      if (random.nextInt(8) == 0) {
        body.append(" @").append(handle(p));
        if (p != said.sender && rooms.get(room).members.containsKey(p)) {
          mentions.add(p);
        }
      }
    }
    said.mentions = mentions;
    return body.toString();
  }

  private @Nullable Integer some(int room, int person, boolean own) {
    UnreadModel model = rooms.get(room);
    Member member = model.members.get(person);
    for (int i = 0; i < 10 && member != null && model.newest() > 0; i++) {
      int seq = model.newest() - Math.min(random.nextInt(30), model.newest() - 1);
      Said said = model.message(seq);
      if (seq >= member.seenFrom && !said.deleted && (!own || said.sender == person)) {
        return seq;
      }
    }
    return null;
  }

  private void edit(int room, int person) {
    Integer seq = some(room, person, true);
    if (seq != null) {
      JsonObject edit =
          new JsonObject()
              .put("client_id", "e" + step)
              .put("body", body(room, rooms.get(room).message(seq)));
      at(person).ok("PATCH", path(room) + "/messages/" + seq, edit);
    }
  }

  private void delete(int room, int person) {
    Integer seq = some(room, person, person != 0);
    if (seq != null) {
      at(person).ok("DELETE", path(room) + "/messages/" + seq, null);
      rooms.get(room).message(seq).deleted = true;
    }
  }

  private void read(int room, int person) {
    Integer seq = some(room, person, false);
    if (seq != null) {
      at(person).ok("PUT", path(room) + "/read", new JsonObject().put("seq", seq));
      rooms.get(room).read(person, seq);
    }
  }

  private void markUnread(int room, int person) {
    int newest = rooms.get(room).newest();
    if (newest > 0) {
      int seq = 1 + random.nextInt(newest);
      if (newest - seq < 5_000) {
        at(person).ok("PUT", path(room) + "/unread", new JsonObject().put("seq", seq));
        rooms.get(room).markUnread(person, seq);
      }
    }
  }

  /// What everybody is told is what the model says.
  void check() {
    for (int person = 0; person < PEOPLE; person++) {
      assertThat(listed(person)).as("person %d after %d", person, step).isEqualTo(expected(person));
      Map<String, Count> expected = expected(person);
      JsonObject unread = at(person).ok("GET", "/v1/unread", null);
      assertThat(unread.getLong("total"))
          .isEqualTo(expected.values().stream().mapToLong(Count::unread).sum());
      assertThat(unread.getLong("mentions"))
          .isEqualTo(expected.values().stream().mapToLong(Count::mentions).sum());
    }
  }

  private Map<String, Count> expected(int person) {
    Map<String, Count> counts = new HashMap<>();
    for (int room = 0; room < ROOMS; room++) {
      if (rooms.get(room).members.containsKey(person)) {
        counts.put(ids.get(room), rooms.get(room).count(person));
      }
    }
    return counts;
  }

  private Map<String, Count> listed(int person) {
    Map<String, Count> counts = new HashMap<>();
    JsonArray listed = at(person).ok("GET", "/v1/rooms", null).getJsonArray("rooms");
    for (int i = 0; i < listed.size(); i++) {
      JsonObject room = listed.getJsonObject(i);
      counts.put(
          room.getString("room_id"),
          new Count(
              room.getInteger("read_seq"),
              room.getInteger("unread_from"),
              room.getLong("unread"),
              room.getLong("mentions")));
    }
    return counts;
  }
}
