package io.confab.scenario.room;

import static io.confab.testing.TestConfig.onServers;
import static io.confab.testing.TestConfig.with;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A room of Ann's with one seat, on two nodes with a Redis of a test's own; Bob, Cleo and Dan are
/// members. What is refused because Redis is away is asked again.
public final class CappedRoom implements AutoCloseable {
  /// Longer than it takes to notice another master, and than the pause after that.
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int NODES = 2;
  private static final int UNAVAILABLE = 503;

  public final Person ann;
  public final Person bob;
  public final Person cleo;
  public final Person dan;
  private final Nodes nodes;
  private final String room;
  private int clients;

  private CappedRoom(Nodes nodes) {
    this.nodes = nodes;
    ann = ApiClient.person(nodes.port(0), "ann", "Ann");
    bob = ApiClient.person(nodes.port(1), "bob", "Bob");
    cleo = ApiClient.person(nodes.port(1), "cleo", "Cleo");
    dan = ApiClient.person(nodes.port(0), "dan", "Dan");
    JsonArray members = new JsonArray();
    Stream.of(bob, cleo, dan).map(Person::accountId).forEach(members::add);
    room =
        at(ann)
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "group")
                    .put("name", "Tea")
                    .put("capacity", 1)
                    .put("members", members))
            .getString("room_id");
  }

  /// @param redis the URL as the nodes' configuration holds it
  public static CappedRoom on(String redis) {
    Nodes nodes = Nodes.start(0);
    for (int i = 0; i < NODES; i++) {
      Config config = nodes.config();
      Config own = onServers(config, config.postgres().url().orElseThrow().value(), redis);
      nodes.add(with(own, "redis.command_timeout", Duration.ofSeconds(2)));
    }
    return new CappedRoom(nodes);
  }

  /// On nodes with limits of one's own.
  static CappedRoom on(Nodes nodes) {
    return new CappedRoom(nodes);
  }

  public String id() {
    return room;
  }

  /// The key of who is inside.
  public String key() {
    return nodes.config().redis().keyPrefix() + "seats:{" + room + "}:inside";
  }

  ApiClient at(Person person) {
    return person.at(nodes.port(0));
  }

  String path(String rest) {
    return "/v1/rooms/" + room + rest;
  }

  public ChatClient live(Person person) {
    return ChatClient.live(nodes.vertx(), nodes.port(clients++ % NODES), person.token());
  }

  public static String type(JsonObject frame) {
    return frame.getString("type");
  }

  private JsonObject frame(String type) {
    return new JsonObject().put("type", type).put("room_id", room);
  }

  /// Once.
  JsonObject tryToEnter(ChatClient client) {
    return client.ask(frame("room.enter"));
  }

  public JsonObject enter(ChatClient client) {
    return untilAnswered(client, frame("room.enter"));
  }

  public JsonObject exit(ChatClient client) {
    return untilAnswered(client, frame("room.exit"));
  }

  private static JsonObject untilAnswered(ChatClient client, JsonObject frame) {
    return await()
        .atMost(PATIENCE)
        .until(() -> client.ask(frame), answer -> !"unavailable".equals(answer.getString("code")));
  }

  /// Over HTTP, once.
  Answer tryToPoll(Person person, @Nullable String place) {
    JsonObject body = place == null ? null : new JsonObject().put("place", place);
    return at(person).call("POST", path("/seats"), body);
  }

  JsonObject poll(Person person, @Nullable String place) {
    return pollAnswer(person, place).body();
  }

  Answer pollAnswer(Person person, @Nullable String place) {
    return await()
        .atMost(PATIENCE)
        .until(() -> tryToPoll(person, place), answer -> answer.status() != UNAVAILABLE);
  }

  /// Who is inside, and who waits, in order; asked again while Redis is away.
  public List<List<String>> all() {
    JsonObject seats =
        await()
            .atMost(PATIENCE)
            .until(
                () -> at(ann).call("GET", path("/seats"), null),
                answer -> answer.status() != UNAVAILABLE)
            .body();
    return Stream.of("accounts", "waiting_list")
        .map(name -> seats.getJsonArray(name).stream().map(String.class::cast).toList())
        .toList();
  }

  /// Done when Bob is inside and Cleo waits before Dan.
  public void awaitBobInsideAndCleoBeforeDan() {
    List<List<String>> right =
        List.of(List.of(bob.accountId()), List.of(cleo.accountId(), dan.accountId()));
    await().atMost(PATIENCE).until(() -> all().equals(right));
  }

  public static void awaitInside(ChatClient client) {
    await().atMost(PATIENCE).until(() -> !client.frames("seat.inside").isEmpty());
  }

  @Override
  public void close() {
    nodes.close();
  }
}
