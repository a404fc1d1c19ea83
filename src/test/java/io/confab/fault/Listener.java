package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;

/// Somebody who follows one room, over as many connections as it takes, each resumed from where
/// the last one ended.
final class Listener {

  private final Vertx vertx;
  private final Person person;
  private final IntSupplier ports;
  private final String room;
  private final long epoch;
  private final long firstRev;
  private final List<JsonObject> heard = new ArrayList<>();
  private ChatClient client;

  private Listener(Vertx vertx, Person person, IntSupplier ports, String room, ChatClient client) {
    this.vertx = vertx;
    this.person = person;
    this.ports = ports;
    this.room = room;
    this.client = client;
    JsonObject position =
        client.welcome().getJsonArray("rooms").stream()
            .map(JsonObject.class::cast)
            .filter(r -> r.getString("room_id").equals(room))
            .findFirst()
            .orElseThrow();
    this.epoch = position.getLong("epoch");
    this.firstRev = position.getLong("rev");
  }

  /// Live from where the room stands, on a device of its own.
  static Listener start(Vertx vertx, Person person, IntSupplier ports, String room) {
    Person own = person.onAnotherDevice(ports.getAsInt());
    ChatClient client = ChatClient.live(vertx, ports.getAsInt(), own.token());
    return new Listener(vertx, own, ports, room, client);
  }

  /// The last number heard, after connecting again if the connection was lost.
  long rev() {
    if (client.isClosed()) {
      heard.addAll(client.events(room));
      client = await().until(this::resume, Optional::isPresent).orElseThrow();
    }
    List<JsonObject> events = events();
    return events.isEmpty() ? firstRev : events.getLast().getLong("rev");
  }

  private Optional<ChatClient> resume() {
    long rev = heard.isEmpty() ? firstRev : heard.getLast().getLong("rev");
    try {
      ChatClient next = ChatClient.hello(vertx, ports.getAsInt(), person.token());
      next.resume(true, ChatClient.point(room, epoch, rev));
      return Optional.of(next);
    } catch (AssertionError | RuntimeException notYet) {
      return Optional.empty();
    }
  }

  private List<JsonObject> events() {
    List<JsonObject> events = new ArrayList<>(heard);
    events.addAll(client.events(room));
    return events;
  }

  /// Waits until everything was heard, which must be the room's history from the start on:
  /// without hole or repeat, in order.
  void assertHeard(List<JsonObject> history) {
    long last = history.getLast().getLong("rev");
    await().until(() -> rev() >= last);
    assertThat(events())
        .extracting(event -> event.getLong("rev"))
        .isEqualTo(LongStream.rangeClosed(firstRev + 1, last).boxed().toList());
    assertThat(events())
        .filteredOn(event -> event.containsKey("body"))
        .extracting(event -> event.getLong("seq") + " " + event.getString("body"))
        .isEqualTo(
            history.stream()
                .filter(m -> m.getLong("rev") > firstRev)
                .map(m -> m.getLong("seq") + " " + m.getString("body"))
                .toList());
  }

  boolean wasCut() {
    return !heard.isEmpty() || client.isClosed();
  }

  void close() {
    client.cut();
  }
}
