package io.confab.scenario.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Ann comes and goes on one node, Bob watches on another; they share a group. Cleo shares nothing
/// with them.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PresenceIT {
  /// So long a session that was lost counts at least.
  private static final Duration LOST = Duration.ofSeconds(5);

  private Nodes nodes;
  private Person ann;
  private Person bob;
  private Person cleo;
  private String room;
  private ChatClient b;
  private final List<ChatClient> open = new ArrayList<>();

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  @BeforeEach
  void open() {
    String unique = UUID.randomUUID().toString().substring(0, 8);
    ann = ApiClient.person(nodes.port(0), "ann-" + unique, "Ann");
    bob = ApiClient.person(nodes.port(1), "bob-" + unique, "Bob");
    cleo = ApiClient.person(nodes.port(1), "cleo-" + unique, "Cleo");
    room =
        ann.at(nodes.port(0))
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "group")
                    .put("name", "Tea")
                    .put("members", new JsonArray().add(bob.accountId())))
            .getString("room_id");
    b = live(1, bob);
    await().until(() -> "online".equals(read(bob, bob).getString("status")));
  }

  @AfterEach
  void close() {
    open.forEach(ChatClient::cut);
    open.clear();
  }

  private ChatClient live(int node, Person person) {
    ChatClient client = ChatClient.live(nodes.vertx(), nodes.port(node), person.token());
    open.add(client);
    return client;
  }

  private ChatClient annComes() {
    ChatClient client = live(0, ann);
    await().until(() -> "online".equals(read(bob, ann).getString("status")));
    return client;
  }

  private static JsonObject watch(ChatClient client, List<Person> accounts, List<String> rooms) {
    JsonObject state =
        client.ask(
            new JsonObject()
                .put("type", "presence.watch")
                .put("accounts", new JsonArray(accounts.stream().map(Person::accountId).toList()))
                .put("rooms", new JsonArray(rooms)));
    assertThat(state.getString("type")).as("%s", state).isEqualTo("presence.state");
    return state;
  }

  private static JsonObject set(ChatClient client, String status) {
    return client.ask(new JsonObject().put("type", "presence.set").put("status", status));
  }

  private JsonObject read(Person viewer, Person of) {
    return viewer
        .at(nodes.port(1))
        .ok("GET", "/v1/presence?accounts=" + of.accountId(), null)
        .getJsonArray("accounts")
        .getJsonObject(0);
  }

  private static JsonObject hidden(Person person) {
    return new JsonObject().put("account_id", person.accountId()).put("status", "offline");
  }

  /// What a client was told last of somebody.
  private static Optional<JsonObject> last(ChatClient client, Person of) {
    return client.frames("presence").stream()
        .filter(frame -> of.accountId().equals(frame.getString("account_id")))
        .reduce((_, later) -> later);
  }

  private static void awaitTold(ChatClient client, Person of, String status) {
    await()
        .until(
            () ->
                last(client, of)
                    .filter(frame -> status.equals(frame.getString("status")))
                    .isPresent());
  }

  private void settings(Person person, String setting, String audience) {
    person.at(nodes.port(0)).ok("PATCH", "/v1/me", new JsonObject().put(setting, audience));
  }

  @Test
  void whoWatchesHearsWhoComesAndGoes() {
    assertThat(watch(b, List.of(ann), List.of()).getJsonArray("accounts"))
        .containsExactly(hidden(ann));
    ChatClient a = live(0, ann);
    awaitTold(b, ann, "online");
    assertThat(set(a, "away").getString("type")).isEqualTo("ok");
    awaitTold(b, ann, "away");
    a.raw("{\"type\":\"bye\"}");
    awaitTold(b, ann, "offline");
    assertThat(last(b, ann).orElseThrow().getLong("last_seen"))
        .isCloseTo(System.currentTimeMillis(), org.assertj.core.data.Offset.offset(60_000L));
  }

  @Test
  void oneOfTwoSessionsClosingChangesNothing() {
    ChatClient phone = annComes();
    ChatClient web = live(1, ann.onAnotherDevice(nodes.port(1)));
    watch(b, List.of(ann), List.of());
    set(web, "away");
    phone.raw("{\"type\":\"bye\"}");
    awaitTold(b, ann, "away"); // the most present one left
    assertThat(b.frames("presence")).hasSize(1);
    set(web, "online");
    awaitTold(b, ann, "online");
    assertThat(b.frames("presence")).hasSize(2);
  }

  @Test
  void aSocketThatIsLostAndComesAgainChangesNothing() {
    settings(cleo, "presence_visible_to", "everyone");
    List<String> told = await().until(this::toldWhenBackInTime, all -> !all.isEmpty());
    assertThat(told).containsExactly("online", "offline");
  }

  /// What Bob hears of Ann when her socket, by which she is away, is lost, comes again as online
  /// before it counts as gone, but after he heard that Cleo has left, and is lost for good; nothing
  /// when it took too long to come again.
  private List<String> toldWhenBackInTime() {
    ChatClient a = annComes();
    set(a, "away");
    await().until(() -> "away".equals(read(bob, ann).getString("status")));
    ChatClient c = live(0, cleo);
    await().until(() -> "online".equals(read(bob, cleo).getString("status")));
    watch(b, List.of(ann, cleo), List.of());
    int before = b.frames("presence").size();
    long lost = System.nanoTime();
    a.cut();
    c.raw("{\"type\":\"bye\"}");
    await().until(() -> toldSince(before, cleo).contains("offline"));
    ChatClient again = live(1, ann);
    await().until(() -> toldSince(before, ann).contains("online"));
    boolean late = System.nanoTime() - lost > LOST.toNanos();
    again.cut();
    await().until(() -> toldSince(before, ann).contains("offline"));
    return late ? List.of() : toldSince(before, ann);
  }

  /// What Bob was told of somebody after so many frames.
  private List<String> toldSince(int before, Person of) {
    return b.frames("presence").stream()
        .skip(before)
        .filter(frame -> of.accountId().equals(frame.getString("account_id")))
        .map(frame -> frame.getString("status"))
        .toList();
  }

  /// Whether Bob hears that Ann is gone before a session that was lost would count as gone. Not
  /// always: while the data in Redis is young, all wait for what other nodes may know.
  private boolean isGoneAtOnce(BiConsumer<Person, ChatClient> parts) {
    Person device = ann.onAnotherDevice(nodes.port(0));
    ChatClient a = live(0, device);
    watch(b, List.of(ann), List.of());
    await().until(() -> "online".equals(read(bob, ann).getString("status")));
    int before = b.frames("presence").size();
    long began = System.nanoTime();
    parts.accept(device, a);
    await().until(() -> toldSince(before, ann).contains("offline"));
    return Duration.ofNanos(System.nanoTime() - began).compareTo(LOST) < 0;
  }

  @Test
  void signingOutAndByeCountAtOnce() {
    await().until(() -> isGoneAtOnce((_, a) -> a.raw("{\"type\":\"bye\"}")));
    await()
        .until(
            () ->
                isGoneAtOnce(
                    (device, _) -> device.at(nodes.port(0)).call("DELETE", "/v1/tokens", null)));
  }

  @Test
  void statusAndTextAreSetForAllSessionsOverHttp() {
    annComes();
    watch(b, List.of(ann), List.of());
    ApiClient api = ann.at(nodes.port(1));
    assertThat(
            api.call(
                    "PUT",
                    "/v1/me/presence",
                    new JsonObject().put("status", "away").put("text", "At lunch"))
                .status())
        .isEqualTo(204);
    await()
        .until(
            () ->
                last(b, ann)
                    .filter(
                        frame ->
                            "away".equals(frame.getString("status"))
                                && "At lunch".equals(frame.getString("text")))
                    .isPresent());
    assertThat(read(bob, ann).getString("text")).isEqualTo("At lunch");
    for (JsonObject bad :
        List.of(
            new JsonObject().put("status", "offline"),
            new JsonObject().put("status", "away").put("text", "x".repeat(101)))) {
      assertThat(api.call("PUT", "/v1/me/presence", bad).code()).isEqualTo("invalid_field");
    }
  }

  @Test
  void aRoomTellsOfItsMembersAndHowManyAreThere() {
    JsonObject state = watch(b, List.of(), List.of(room));
    assertThat(state.getJsonArray("rooms"))
        .containsExactly(new JsonObject().put("room_id", room).put("online", 1));
    annComes();
    awaitTold(b, ann, "online");
    await()
        .until(
            () ->
                b.frames("presence.count").stream()
                    .anyMatch(frame -> frame.getLong("online") == 2));
    live(1, cleo);
    ann.at(nodes.port(0)).ok("PUT", "/v1/rooms/" + room + "/members/" + cleo.accountId(), null);
    awaitTold(b, cleo, "online");
    assertThat(
            b.ask(
                    new JsonObject()
                        .put("type", "presence.watch")
                        .put("rooms", new JsonArray().add("0000000000007")))
                .getString("code"))
        .isEqualTo("not_found");
  }

  @Test
  void whoHidesIsAsOneWhoWasNeverThere() {
    annComes();
    ann.at(nodes.port(0))
        .call("PUT", "/v1/me/presence", new JsonObject().put("status", "away").put("text", "Hm"));
    await().until(() -> "away".equals(read(bob, ann).getString("status")));
    watch(b, List.of(ann), List.of(room));
    settings(ann, "presence_visible_to", "nobody");
    awaitTold(b, ann, "offline");
    JsonObject told = last(b, ann).orElseThrow();
    assertThat(told.fieldNames()).containsExactlyInAnyOrder("type", "account_id", "status");
    await()
        .until(
            () ->
                b.frames("presence.count").stream()
                    .anyMatch(frame -> frame.getLong("online") == 1));
    assertThat(read(bob, ann)).isEqualTo(hidden(ann));
    JsonObject state = watch(b, List.of(ann), List.of(room));
    assertThat(state.getJsonArray("accounts").getJsonObject(0)).isEqualTo(hidden(ann));
    assertThat(state.getJsonArray("rooms").getJsonObject(0).getLong("online")).isEqualTo(1);
    int before = b.frames("presence").size();
    ChatClient a = live(0, ann.onAnotherDevice(nodes.port(0)));
    a.ask(new JsonObject().put("type", "typing").put("room_id", room));
    b.awaitRev(room, ChatClient.get(a.send(room, "c" + UUID.randomUUID(), "Hi")).getLong("rev"));
    assertThat(b.frames("typing")).isEmpty();
    assertThat(b.frames("presence").stream().skip(before).map(f -> f.getString("account_id")))
        .doesNotContain(ann.accountId());
    settings(ann, "presence_visible_to", "everyone");
    awaitTold(b, ann, "online");
    assertThat(read(cleo, ann).getString("status")).isNotEqualTo("offline");
  }

  @Test
  void whomOneBlocksSeesNothing() {
    ChatClient a = annComes();
    watch(b, List.of(ann), List.of(room));
    String block = "/v1/blocks/" + bob.accountId();
    ann.at(nodes.port(0)).ok("PUT", block, null);
    awaitTold(b, ann, "offline");
    assertThat(read(bob, ann)).isEqualTo(hidden(ann));
    a.ask(new JsonObject().put("type", "typing").put("room_id", room));
    b.awaitRev(room, ChatClient.get(a.send(room, "c" + UUID.randomUUID(), "Hi")).getLong("rev"));
    assertThat(b.frames("typing")).isEmpty();
    ann.at(nodes.port(0)).call("DELETE", block, null);
    awaitTold(b, ann, "online");
  }

  @Test
  void theLastSharedRoomEndsIt() {
    annComes();
    watch(b, List.of(ann), List.of());
    assertThat(read(cleo, ann)).isEqualTo(hidden(ann));
    bob.at(nodes.port(1)).call("DELETE", "/v1/rooms/" + room + "/members/me", null);
    ann.at(nodes.port(0)).call("DELETE", "/v1/rooms/" + room + "/members/" + bob.accountId(), null);
    awaitTold(b, ann, "offline");
    assertThat(read(bob, ann)).isEqualTo(hidden(ann));
  }

  @Test
  void lastSeenHasASettingOfItsOwn() {
    ChatClient a = annComes();
    settings(ann, "last_seen_visible_to", "nobody");
    watch(b, List.of(ann), List.of());
    a.raw("{\"type\":\"bye\"}");
    awaitTold(b, ann, "offline");
    assertThat(last(b, ann).orElseThrow().containsKey("last_seen")).isFalse();
    settings(ann, "last_seen_visible_to", "shared_rooms");
    await().until(() -> last(b, ann).filter(frame -> frame.containsKey("last_seen")).isPresent());
    await().until(() -> Objects.nonNull(read(bob, ann).getLong("last_seen")));
  }
}
