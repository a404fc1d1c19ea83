package io.confab.marker;

import static io.confab.testing.TestConfig.onServers;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.config.Rate;
import io.confab.marker.UnreadModel.Count;
import io.confab.marker.UnreadModel.Member;
import io.confab.marker.UnreadModel.Said;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Unread and mention counts, after whatever people did on two nodes, equal those of a model and
/// those that one SQL statement counts anew. Half way Redis is emptied.
@Timeout(1_200)
class UnreadModelIT {
  private static final int PEOPLE = 5;
  private static final int ROOMS = 4;
  private static final int OPEN = 3;
  private static final int CHECKS = 40;

  /// What both ways of counting say, where they differ.
  private static final String DRIFT =
      """
      SELECT count(*)
        FROM (SELECT a.account_id, c.room_id, c.unread, c.mentions
                FROM account a CROSS JOIN LATERAL unread_counts(a.account_id) c) c
        FULL JOIN unread_recounted(ARRAY(SELECT account_id FROM account)) r USING (account_id, room_id)
       WHERE c.unread IS DISTINCT FROM r.unread OR c.mentions IS DISTINCT FROM r.mentions
      """;

  private final Random random = new Random(20_261_124);
  private final List<Person> people = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private final List<UnreadModel> rooms = new ArrayList<>();
  private final OwnRedis redis = OwnRedis.start();
  private final Nodes nodes = Nodes.start(0);
  private int step;

  @AfterEach
  void stop() {
    nodes.close();
    redis.close();
  }

  @Test
  void countsAreExactWhateverHappens() {
    run(2_000);
  }

  @Test
  @Tag("full")
  void countsAreExactAfterAHundredThousandOperations() {
    run(100_000);
  }

  private void run(int operations) {
    for (int i = 0; i < 2; i++) {
      nodes.add(unlimited(onServers(nodes.config(), nodes.postgresUrl(), redis.address())));
    }
    makeWorld();
    for (step = 1; step <= operations; step++) {
      operate();
      if (step == operations / 2) {
        redis.kill();
        redis.startAgain();
      }
      if (step % (operations / CHECKS) == 0) {
        check();
      }
    }
  }

  private static Config unlimited(Config config) {
    Config free = config;
    Rate many = new Rate(1_000_000, Duration.ofSeconds(1), 1_000_000);
    for (String rate :
        List.of("sends", "changes", "markers", "joins", "members", "reads", "requests")) {
      free = TestConfig.with(free, "rates." + rate, many);
    }
    return TestConfig.with(free, "accounts.access_token_ttl", Duration.ofHours(2));
  }

  private ApiClient at(int person) {
    return people.get(person).at(nodes.port(random.nextInt(2)));
  }

  private void makeWorld() {
    for (int i = 0; i < PEOPLE; i++) {
      people.add(ApiClient.person(nodes.port(0), "p" + i, "P"));
    }
    for (int i = 0; i < ROOMS; i++) {
      UnreadModel room = new UnreadModel();
      room.sinceJoin = i == 1;
      JsonObject settings =
          new JsonObject()
              .put("type", i == OPEN ? "channel" : "group")
              .put("name", "Room " + i)
              .put("history", room.sinceJoin ? "since_join" : "all");
      ids.add(at(0).ok("POST", "/v1/rooms", settings).getString("room_id"));
      rooms.add(room);
      room.join(0);
      for (int p = 1; p < PEOPLE; p++) {
        add(i, p);
      }
    }
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
  private void operate() {
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
        body.append(" @p").append(p);
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

  private void check() {
    assertThat(nodes.database().count(DRIFT)).as("drift after %d", step).isZero();
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
