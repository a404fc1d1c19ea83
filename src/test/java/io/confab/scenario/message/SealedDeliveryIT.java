package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Sha256;
import io.confab.protocol.AccountId;
import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What is said in sealed rooms on its way to devices, over socket and HTTP, on two nodes with a
/// Redis of their own.
@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SealedDeliveryIT {
  private final OwnRedis redis = OwnRedis.start();
  private final Nodes nodes = Nodes.start(0);
  private final int port;

  SealedDeliveryIT() {
    for (int node = 0; node < 2; node++) {
      nodes.add(
          TestConfig.with(nodes.config(), "redis.url", Optional.of(new Secret(redis.address()))));
    }
    this.port = nodes.port(0);
  }

  @AfterAll
  void close() {
    nodes.close();
    redis.close();
  }

  /// Two people with a device each in a sealed room.
  private record Room(Person owner, Person other, String id, String digest, long registration) {}

  private Room room(String name) {
    Person owner = ApiClient.person(port, name + "0", name + "0");
    Person other = ApiClient.person(port, name + "1", name + "1");
    long own = withKeys(owner);
    long theirs = withKeys(other);
    String id =
        owner
            .at(port)
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "group")
                    .put("name", "G")
                    .put("members", new JsonArray().add(other.accountId())))
            .getString("room_id");
    owner
        .at(port)
        .ok(
            "PATCH",
            "/v1/rooms/" + id,
            new JsonObject().put("encryption", new JsonObject().put("suite", "olm1")));
    return new Room(owner, other, id, digest(own, theirs), theirs);
  }

  private long withKeys(Person of) {
    return of.at(port)
        .ok(
            "PUT",
            "/v1/me/keys",
            new JsonObject().put("suite", "olm1").put("identity", "identity of " + of.deviceId()))
        .getLong("registration_id");
  }

  private static String digest(long... registrations) {
    return Sha256.hex(
        LongStream.of(registrations)
            .sorted()
            .mapToObj(Long::toString)
            .collect(Collectors.joining(",")),
        8);
  }

  private void say(Room room, String payload) {
    room.owner()
        .at(port)
        .ok(
            "POST",
            "/v1/rooms/" + room.id() + "/envelopes",
            new JsonObject()
                .put("client_id", payload)
                .put("devices", room.digest())
                .put("payload", payload));
  }

  private static JsonObject open(ChatClient client, long after) {
    return client.ask(
        new JsonObject().put("type", "queue.open").put("epoch", 1).put("after", after));
  }

  private static JsonObject ack(ChatClient client, long seq) {
    return client.ask(new JsonObject().put("type", "queue.ack").put("queue_seq", seq));
  }

  private static List<String> payloads(ChatClient client) {
    return client.frames("envelope.receive").stream()
        .map(frame -> frame.getLong("queue_seq") + frame.getString("payload"))
        .toList();
  }

  @Test
  void whatWaitedAndWhatIsSaidComesOnceAndInOrderOnEitherNode(Vertx vertx) {
    Room room = room("order");
    say(room, "a");
    say(room, "b");
    ChatClient client = ChatClient.live(vertx, nodes.port(1), room.other().token());
    JsonObject opened = open(client, 0);
    assertThat(opened.getString("type")).isEqualTo("queue.opened");
    assertThat(opened.getLong("first")).isEqualTo(1);
    assertThat(opened.getLong("last")).isEqualTo(2);
    assertThat(opened.containsKey("reset")).isFalse();
    await().untilAsserted(() -> assertThat(payloads(client)).containsExactly("1a", "2b"));
    await().untilAsserted(() -> assertThat(client.frames("queue.empty")).hasSize(1));
    say(room, "c");
    say(room, "d");
    await()
        .untilAsserted(() -> assertThat(payloads(client)).containsExactly("1a", "2b", "3c", "4d"));
    assertThat(open(client, 0).getString("code")).isEqualTo("conflict");

    assertThat(ack(client, 5).getString("code")).isEqualTo("invalid_field");
    assertThat(ack(client, 3).getString("type")).isEqualTo("ok");
    client.cut();
    ChatClient again = ChatClient.live(vertx, port, room.other().token());
    JsonObject reopened = open(again, 3);
    assertThat(reopened.getLong("first")).isEqualTo(4);
    await().untilAsserted(() -> assertThat(payloads(again)).containsExactly("4d"));
    again.cut();
  }

  @Test
  void aPositionThatIsNoneIsReset(Vertx vertx) {
    Room room = room("reset");
    say(room, "a");
    ChatClient client = ChatClient.live(vertx, port, room.other().token());
    JsonObject opened = open(client, 7);
    assertThat(opened.getBoolean("reset")).isTrue();
    await().untilAsserted(() -> assertThat(payloads(client)).containsExactly("1a"));
    client.cut();
  }

  @Test
  void theSenderIsToldWhatArrived(Vertx vertx) {
    Room room = room("told");
    ChatClient sender = ChatClient.live(vertx, port, room.owner().token());
    ChatClient reader = ChatClient.live(vertx, nodes.port(1), room.other().token());
    open(reader, 0);
    await()
        .pollInterval(Duration.ofSeconds(1)) // it is told once, and may be lost on the way
        .untilAsserted(
            () -> {
              long n = payloads(reader).size() + 1L;
              say(room, "a" + n);
              await().untilAsserted(() -> assertThat(payloads(reader)).endsWith(n + "a" + n));
              ack(reader, n);
              assertThat(sender.frames("marker"))
                  .anySatisfy(
                      marker -> {
                        assertThat(marker.getString("account_id"))
                            .isEqualTo(room.other().accountId());
                        long from = marker.getLong("delivered_from");
                        assertThat(from).isBetween(1L, n);
                        assertThat(marker.getLong("delivered_seq")).isBetween(from, n);
                      });
            });
    sender.cut();
    reader.cut();
  }

  @Test
  void aDeviceWithoutASocketReadsAndEmptiesItsQueue() {
    Room room = room("http");
    say(room, "a");
    say(room, "b");
    ApiClient other = room.other().at(port);
    JsonObject page = other.ok("GET", "/v1/queue?limit=1", null);
    assertThat(page.getJsonArray("envelopes").getJsonObject(0).getString("payload")).isEqualTo("a");
    assertThat(page.getBoolean("has_more")).isTrue();
    assertThat(page.getLong("last")).isEqualTo(2);
    assertThat(other.ok("GET", "/v1/queue?after=1", null).getBoolean("has_more")).isFalse();
    assertThat(
            other
                .call(
                    "POST",
                    "/v1/queue/reject",
                    new JsonObject().put("queue_seq", 2).put("reason", "no_session"))
                .status())
        .isEqualTo(204);
    assertThat(
            other
                .ok("GET", "/v1/queue?after=1", null)
                .getJsonArray("envelopes")
                .getJsonObject(0)
                .getBoolean("gone"))
        .isTrue();
    assertThat(other.call("POST", "/v1/queue/ack", new JsonObject().put("queue_seq", 9)).code())
        .isEqualTo("invalid_field");
    assertThat(
            other
                .call("POST", "/v1/queue/ack", new JsonObject().put("queue_seq", 2).put("epoch", 9))
                .code())
        .isEqualTo("conflict");
    assertThat(other.call("POST", "/v1/queue/ack", new JsonObject().put("queue_seq", 2)).status())
        .isEqualTo(204);
    JsonObject empty = other.ok("GET", "/v1/queue", null);
    assertThat(empty.getJsonArray("envelopes")).isEmpty();
    assertThat(empty.getLong("last")).isEqualTo(2);
    assertThat(empty.getBoolean("has_more")).isFalse();
    assertThat(other.call("GET", "/v1/queue?limit=101", null).code()).isEqualTo("invalid_field");
  }

  @Test
  void whatIsOfNoRoomComesToo(Vertx vertx) {
    Room room = room("loose");
    ChatClient client = ChatClient.live(vertx, nodes.port(1), room.other().token());
    open(client, 0);
    long theirs =
        room.other()
            .at(port)
            .ok(
                "POST",
                "/v1/keys/query",
                new JsonObject().put("accounts", new JsonArray().add(room.other().accountId())))
            .getJsonArray("accounts")
            .getJsonObject(0)
            .getJsonArray("devices")
            .getJsonObject(0)
            .getLong("registration_id");
    room.owner()
        .at(port)
        .ok(
            "POST",
            "/v1/envelopes",
            new JsonObject()
                .put("client_id", "l")
                .put(
                    "envelopes",
                    new JsonArray()
                        .add(
                            new JsonObject()
                                .put("account_id", room.other().accountId())
                                .put("device_id", room.other().deviceId())
                                .put("registration_id", theirs)
                                .put("body", "key"))));
    await()
        .untilAsserted(
            () ->
                assertThat(client.frames("envelope.receive"))
                    .anySatisfy(frame -> assertThat(frame.getString("body")).isEqualTo("key")));
    client.cut();
  }

  /// Nodes that do not hear each other compare with the database.
  @Test
  void withoutRedisAcknowledgementsAndEnvelopesGoOn(Vertx vertx) {
    Room room = room("away");
    ChatClient client = ChatClient.live(vertx, nodes.port(1), room.other().token());
    open(client, 0);
    say(room, "a");
    await().untilAsserted(() -> assertThat(payloads(client)).containsExactly("1a"));
    redis.kill();
    try {
      for (int n = 2; n <= 4; n++) {
        say(room, "b" + n);
        long stored = System.nanoTime();
        String next = n + "b" + n;
        await().untilAsserted(() -> assertThat(payloads(client)).endsWith(next));
        System.out.printf(
            "without Redis a device got it after %d ms%n",
            (System.nanoTime() - stored) / 1_000_000);
        assertThat(ack(client, n).getString("type")).isEqualTo("ok");
      }
    } finally {
      redis.startAgain();
    }
    say(room, "c");
    await()
        .untilAsserted(
            () -> assertThat(payloads(client)).containsExactly("1a", "2b2", "3b3", "4b4", "5c"));
    client.cut();
  }

  @Test
  void tenThousandAreDrainedOverTwentyCutsInOrder(Vertx vertx) {
    int all = 10_000;
    Room room = room("drain");
    fill(room, all);
    SplittableRandom random = new SplittableRandom(1);
    List<Long> kept = new ArrayList<>();
    long began = System.nanoTime();
    for (int cut = 1; kept.size() < all; cut++) {
      long after = kept.size();
      ChatClient client = ChatClient.hello(vertx, nodes.port(cut % 2), room.other().token());
      int most = cut <= 20 ? random.nextInt(1, all / 21) : all;
      client.listen(frame -> keep(client, frame, kept, after + most));
      assertThat(open(client, after).getLong("last")).isEqualTo(all);
      await()
          .pollInterval(Duration.ofMillis(5))
          .until(() -> size(kept) >= Math.min(all, after + most));
      client.listen(_ -> {});
      client.cut();
    }
    System.out.printf(
        "%d envelopes were drained over 20 cuts in %d ms%n",
        all, (System.nanoTime() - began) / 1_000_000);
    assertThat(kept).isEqualTo(LongStream.rangeClosed(1, all).boxed().toList());
  }

  /// What a client does: it keeps what is new, and acknowledges now and then.
  private static void keep(ChatClient client, JsonObject frame, List<Long> kept, long most) {
    if ("envelope.receive".equals(frame.getString("type"))) {
      long seq = frame.getLong("queue_seq");
      synchronized (kept) {
        if (seq > kept.size() && kept.size() < most) {
          kept.add(seq);
        }
      }
      if (seq % 50 == 0 && seq <= most) {
        client.request(new JsonObject().put("type", "queue.ack").put("queue_seq", seq));
      }
    }
  }

  private static int size(List<Long> kept) {
    synchronized (kept) {
      return kept.size();
    }
  }

  private void fill(Room room, int envelopes) {
    long sender = AccountId.parse(room.owner().accountId()).value();
    nodes
        .database()
        .execute(
            """
            WITH q AS (
              UPDATE device_queue SET last_seq = %1$d, loud_seq = %1$d WHERE registration_id = %2$d),
            p AS (
              INSERT INTO envelope_payload (payload_id, sender_id, sender_device_id, client_id, ts, due_at, timed, payload)
                SELECT nextval('envelope_payload_number'), %3$d, 'd', 'c' || i, now(), now() + interval '1 d', false,
                       repeat('x', 200)
                  FROM generate_series(1, %1$d) i
              RETURNING payload_id)
            INSERT INTO envelope (registration_id, seq, payload_id)
              SELECT %2$d, row_number() OVER (ORDER BY p.payload_id), p.payload_id FROM p\
            """
                .formatted(envelopes, room.registration(), sender));
  }

  @Test
  void aRemovedDeviceGetsNothingMore(Vertx vertx) {
    Room room = room("removed");
    Person remover = room.other().onAnotherDevice(port);
    ChatClient client = ChatClient.live(vertx, nodes.port(1), room.other().token());
    open(client, 0);
    say(room, "a");
    await().untilAsserted(() -> assertThat(payloads(client)).containsExactly("1a"));
    remover.at(port).ok("DELETE", "/v1/devices/" + room.other().deviceId(), null);
    assertThat(
            room.owner()
                .at(port)
                .call(
                    "POST",
                    "/v1/rooms/" + room.id() + "/envelopes",
                    new JsonObject()
                        .put("client_id", "b")
                        .put("devices", room.digest())
                        .put("payload", "b"))
                .code())
        .isEqualTo("device_mismatch");
    assertThat(payloads(client)).containsExactly("1a");
    client.cut();
  }
}
