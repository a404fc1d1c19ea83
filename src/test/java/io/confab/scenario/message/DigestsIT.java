package io.confab.scenario.message;

import static io.confab.testing.TestConfig.onServers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestServers;
import io.confab.testing.proxy.LostCommits;
import io.confab.testing.proxy.LostPublications;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Events that Redis loses on the way from the first node to the second, and that nothing later
/// would bring to light.
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DigestsIT {

  private final LostPublications publications = new LostPublications();
  private final LostCommits commits = new LostCommits();
  private Nodes nodes;
  private TcpProxy redis;
  private TcpProxy postgres;
  private Person alice;
  private Person bob;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    redis = TcpProxy.before(TestServers.redis(), publications);
    postgres = TcpProxy.before(nodes.postgresUrl(), commits);
    nodes.add(onServers(nodes.config(), postgres.url(), redis.url()));
    nodes.add(nodes.config());
    alice = ApiClient.person(nodes.port(0), "alice", "Alice");
    bob = ApiClient.person(nodes.port(0), "bob", "Bob");
  }

  @AfterAll
  void stop() {
    nodes.close();
    redis.close();
    postgres.close();
  }

  @AfterEach
  void deliverAgain() {
    publications.lose();
  }

  private ApiClient api(Person person) {
    return person.at(nodes.port(0));
  }

  private ChatClient live(Person person, int node) {
    return ChatClient.live(nodes.vertx(), nodes.port(node), person.token());
  }

  private String channel(String name) {
    String room = api(alice).channel(name);
    api(bob).join(room);
    return room;
  }

  private String group(String name, Person... members) {
    JsonArray ids = new JsonArray();
    for (Person member : members) {
      ids.add(member.accountId());
    }
    return api(alice)
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject().put("type", "group").put("name", name).put("members", ids))
        .getString("room_id");
  }

  private Answer add(String room, Person member) {
    return api(alice).call("PUT", "/v1/rooms/" + room + "/members/" + member.accountId(), null);
  }

  private static void awaitRoom(ChatClient client, String type, String room) {
    await().until(() -> count(client, type, room) > 0);
  }

  private static long count(ChatClient client, String type, String room) {
    return client.frames(type).stream()
        .filter(
            f ->
                room.equals(f.getString("room_id"))
                    || room.equals(f.getJsonObject("room", new JsonObject()).getString("room_id")))
        .count();
  }

  /// Loses publications of these kinds while that comes to pass all the same; until some were lost:
  /// none is made while the way to Redis is down.
  private void losing(List<String> kinds, Runnable story) {
    publications.lose(kinds.toArray(String[]::new));
    await()
        .until(
            () -> {
              long before = publications.lost();
              story.run();
              return publications.lost() > before;
            });
  }

  @Test
  void theLastMessageIsDeliveredThoughItsPublicationWasLost() {
    String room = channel("last-message");
    ChatClient there = live(bob, 1);
    ChatClient here = live(alice, 0);
    ChatClient.get(here.send(room, "c1", "the first"));
    await().until(() -> there.bodies(room).contains("the first"));
    List<String> said = new ArrayList<>(List.of("the first"));
    losing(
        List.of("room"),
        () -> {
          said.add("the last but " + said.size());
          ChatClient.get(here.send(room, said.getLast(), said.getLast()));
          await().until(() -> there.bodies(room).contains(said.getLast()));
        });
    assertThat(there.bodies(room)).isEqualTo(said);
    here.cut();
    there.cut();
  }

  @Test
  void aMemberLearnsThatItWasAddedAndRemovedThoughTheSignalWasLost() {
    String room = group("signals");
    ChatClient there = live(bob, 1);
    losing(
        List.of("account", "room"),
        () -> {
          long times = count(there, "room.added", room);
          assertThat(add(room, bob).status()).isLessThan(300);
          await().until(() -> count(there, "room.added", room) > times);
          api(alice).ok("DELETE", "/v1/rooms/" + room + "/members/" + bob.accountId(), null);
          await().until(() -> count(there, "room.removed", room) > times);
        });
    there.cut();
  }

  @Test
  void aStatusForAllSessionsIsTakenThoughTheSignalWasLost() {
    ChatClient there = live(bob, 1);
    await().until(() -> "online".equals(status(bob)));
    losing(
        List.of("account"),
        () ->
            Stream.of("away", "online", "away")
                .forEach(
                    status -> {
                      api(bob).ok("PUT", "/v1/me/presence", new JsonObject().put("status", status));
                      await().until(() -> status.equals(status(bob)));
                    }));
    there.cut();
  }

  private String status(Person person) {
    return api(person)
        .ok("GET", "/v1/presence?accounts=" + person.accountId(), null)
        .getJsonArray("accounts")
        .getJsonObject(0)
        .getString("status");
  }

  @Test
  void aSignedOutDeviceIsCutOffThoughTheSignalWasLost() {
    losing(
        List.of("account"),
        () -> {
          Person phone = bob.onAnotherDevice(nodes.port(0));
          ChatClient there = live(phone, 1);
          phone.at(nodes.port(0)).ok("DELETE", "/v1/tokens", null);
          assertThat(there.closeCode()).isEqualTo((short) 4501);
        });
  }

  @Test
  void aNewerSessionDisplacesTheOlderThoughTheSignalWasLost() {
    losing(
        List.of("account"),
        () -> {
          Person phone = bob.onAnotherDevice(nodes.port(0));
          ChatClient older = live(phone, 1);
          ChatClient newer = live(phone, 0);
          assertThat(older.closeCode()).isEqualTo((short) 4409);
          assertThat(newer.isClosed()).isFalse();
          newer.cut();
        });
  }

  @Test
  void aMembershipIsToldThoughItsCommitWasNeverAnswered() {
    String room = group("unanswered");
    ChatClient there = live(bob, 1);
    ChatClient here = live(alice, 0);
    commits.loseNext("told_room");
    int before = commits.lost();
    assertThat(add(room, bob).status()).isGreaterThanOrEqualTo(500);
    assertThat(commits.lost()).isEqualTo(before + 1);
    awaitRoom(there, "room.added", room);
    awaitRoom(here, "room.event", room);
    here.cut();
    there.cut();
  }

  @Test
  void aSenderLearnsWhatWasReadThoughTheCommitWasNeverAnswered() {
    String room = group("read", bob);
    ChatClient sender = live(alice, 1);
    ChatClient reader = live(bob, 0);
    long seq = ChatClient.get(sender.send(room, "to-read", "the last")).getLong("seq");
    await().until(() -> reader.bodies(room).contains("the last"));
    commits.loseNext("move_markers");
    int before = commits.lost();
    JsonObject answer =
        reader.ask(new JsonObject().put("type", "read").put("room_id", room).put("seq", seq));
    assertThat(answer.getString("code")).isEqualTo("unavailable");
    assertThat(commits.lost()).isEqualTo(before + 1);
    await()
        .until(
            () ->
                sender.frames("message.ack").stream()
                    .anyMatch(ack -> "read".equals(ack.getString("status"))));
    sender.cut();
    reader.cut();
  }

  @Test
  void aRoomIsToldThoughItsCommitWasNeverAnswered() {
    ChatClient there = live(bob, 1);
    commits.loseNext("told_room");
    Answer answer =
        api(alice)
            .call(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "group")
                    .put("name", "unanswered too")
                    .put("members", new JsonArray().add(bob.accountId())));
    assertThat(answer.status()).isGreaterThanOrEqualTo(500);
    await()
        .until(
            () ->
                there.frames("room.added").stream()
                    .anyMatch(f -> f.encode().contains("unanswered too")));
    there.cut();
  }
}
