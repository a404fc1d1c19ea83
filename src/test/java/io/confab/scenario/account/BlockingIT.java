package io.confab.scenario.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Two of whom one blocks the other say nothing to each other in their direct room and make none,
/// and who is blocked adds the other to no room. Otherwise they are as before.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BlockingIT {
  private final AtomicInteger made = new AtomicInteger();
  private Nodes nodes;
  private Person ada;
  private Person bob;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @BeforeEach
  void meet() {
    ada = person();
    bob = person();
  }

  private Person person() {
    return ApiClient.person(nodes.port(0), "person" + made.incrementAndGet(), "Somebody");
  }

  private ApiClient at(Person person) {
    return person.at(nodes.port(0));
  }

  private static String block(Person blocked) {
    return "/v1/blocks/" + blocked.accountId();
  }

  private Answer make(Person maker, String type, Person other) {
    JsonObject room =
        new JsonObject().put("type", type).put("members", new JsonArray().add(other.accountId()));
    return at(maker)
        .call("POST", "/v1/rooms", type.equals("direct") ? room : room.put("name", "A room"));
  }

  private String roomId(Person maker, String type, Person other) {
    return make(maker, type, other).body().getString("room_id");
  }

  private Answer say(Person person, String room) {
    return at(person)
        .call(
            "POST",
            "/v1/rooms/" + room + "/messages",
            new JsonObject().put("client_id", "c" + made.incrementAndGet()).put("body", "Hello"));
  }

  private List<String> blockedBy(Person person) {
    JsonArray blocks = at(person).ok("GET", "/v1/blocks", null).getJsonArray("blocks");
    return Stream.iterate(0, i -> i < blocks.size(), i -> i + 1)
        .map(i -> blocks.getJsonObject(i).getString("account_id"))
        .toList();
  }

  @Test
  void neitherOfTheTwoSpeaksInTheirDirectRoomUntilTheBlockEnds() {
    String direct = roomId(ada, "direct", bob);
    assertThat(say(bob, direct).status()).isEqualTo(201);
    ChatClient socket = ChatClient.live(nodes.vertx(), nodes.port(0), bob.token());

    at(ada).ok("PUT", block(bob), null);

    assertThat(say(bob, direct).code()).isEqualTo("blocked");
    assertThat(say(ada, direct).code()).isEqualTo("blocked");
    assertThat(ChatClient.get(socket.send(direct, "on-the-socket", "Hello")).getString("code"))
        .isEqualTo("blocked");
    assertThat(ChatClient.get(socket.edit(direct, 1, "an-edit", "Hello!")).getString("code"))
        .isEqualTo("blocked");
    assertThat(ChatClient.get(socket.delete(direct, 1)).getString("type")).isEqualTo("ok");

    at(ada).ok("DELETE", block(bob), null);
    assertThat(say(bob, direct).status()).isEqualTo(201);
    assertThat(say(ada, direct).status()).isEqualTo(201);
  }

  @Test
  void neitherMakesTheirDirectRoomWhileTheBlockLasts() {
    at(ada).ok("PUT", block(bob), null);

    assertThat(make(bob, "direct", ada).code()).isEqualTo("blocked");
    assertThat(make(ada, "direct", bob).code()).isEqualTo("blocked");

    at(ada).ok("DELETE", block(bob), null);
    assertThat(make(bob, "direct", ada).status()).isEqualTo(201);
  }

  @Test
  void aDirectRoomFromBeforeTheBlockIsFound() {
    String direct = roomId(ada, "direct", bob);
    at(ada).ok("PUT", block(bob), null);

    assertThat(make(bob, "direct", ada).status()).isEqualTo(200);
    assertThat(roomId(ada, "direct", bob)).isEqualTo(direct);
  }

  @Test
  void inOtherRoomsBothSpeak() {
    String group = roomId(bob, "group", ada);
    at(ada).ok("PUT", block(bob), null);

    assertThat(say(bob, group).status()).isEqualTo(201);
    assertThat(say(ada, group).status()).isEqualTo(201);
  }

  @Test
  void whoIsBlockedBringsTheOtherIntoNoRoom() {
    String group = roomId(bob, "group", person());
    at(ada).ok("PUT", block(bob), null);

    Answer made = make(bob, "group", ada);
    assertThat(made.code()).isEqualTo("blocked");
    assertThat(made.body().getJsonObject("error").getString("field")).isEqualTo("members");
    assertThat(add(bob, group, ada).code()).isEqualTo("blocked");

    assertThat(at(ada).ok("GET", "/v1/rooms", null).getJsonArray("rooms")).isEmpty();
    at(ada).ok("DELETE", block(bob), null);
    assertThat(add(bob, group, ada).status()).isEqualTo(200);
  }

  @Test
  void whoBlocksMayAddWhomTheyBlocked() {
    String group = roomId(ada, "group", person());
    at(ada).ok("PUT", block(bob), null);

    assertThat(add(ada, group, bob).status()).isEqualTo(200);
  }

  private Answer add(Person adder, String room, Person added) {
    return at(adder).call("PUT", "/v1/rooms/" + room + "/members/" + added.accountId(), null);
  }

  @Test
  void onlyTheOneWhoBlocksSeesIt() {
    at(ada).ok("PUT", block(bob), null);
    at(ada).ok("PUT", block(bob), null);

    assertThat(blockedBy(ada)).containsExactly(bob.accountId());
    assertThat(blockedBy(bob)).isEmpty();

    at(ada).ok("DELETE", block(bob), null);
    at(ada).ok("DELETE", block(bob), null);
    assertThat(blockedBy(ada)).isEmpty();
  }

  @Test
  void nobodyBlocksThemselvesOrWhoIsNotThere() {
    assertThat(at(ada).call("PUT", block(ada), null).code()).isEqualTo("invalid_field");
    assertThat(at(ada).call("PUT", "/v1/blocks/0000000000001", null).code()).isEqualTo("not_found");
  }

  /// What one may do must not be ended by somebody else's unblocking.
  @Test
  void whereBothBlockEachOtherBothMustUnblock() {
    String direct = roomId(ada, "direct", bob);
    at(ada).ok("PUT", block(bob), null);
    at(bob).ok("PUT", block(ada), null);

    at(ada).ok("DELETE", block(bob), null);
    assertThat(say(ada, direct).code()).isEqualTo("blocked");
    at(bob).ok("DELETE", block(ada), null);
    assertThat(say(ada, direct).status()).isEqualTo(201);
  }
}
