package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Sha256;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sealing, and sending to sealed rooms.
@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SealedRoomsIT {
  private static final JsonObject SEAL =
      new JsonObject().put("encryption", new JsonObject().put("suite", "olm1"));

  private final Nodes nodes = Nodes.start(1);
  private final int port = nodes.port(0);

  @AfterAll
  void close() {
    nodes.close();
  }

  private Person person(String handle) {
    return ApiClient.person(port, handle, handle);
  }

  private long withKeys(Person of) {
    return of.at(port)
        .ok(
            "PUT",
            "/v1/me/keys",
            new JsonObject().put("suite", "olm1").put("identity", "identity of " + of.deviceId()))
        .getLong("registration_id");
  }

  private String group(Person owner, Person... others) {
    JsonArray members = new JsonArray();
    List.of(others).forEach(each -> members.add(each.accountId()));
    return owner
        .at(port)
        .ok(
            "POST",
            "/v1/rooms",
            new JsonObject().put("type", "group").put("name", "G").put("members", members))
        .getString("room_id");
  }

  private static String digest(long... registrations) {
    return Sha256.hex(
        LongStream.of(registrations)
            .sorted()
            .mapToObj(Long::toString)
            .collect(Collectors.joining(",")),
        8);
  }

  private static JsonObject envelope(String clientId, String digest, String payload) {
    return new JsonObject()
        .put("client_id", clientId)
        .put("devices", digest)
        .put("payload", payload);
  }

  private Answer seal(Person by, String room) {
    return by.at(port).call("PATCH", "/v1/rooms/" + room, SEAL);
  }

  @Test
  void aSealedRoomTakesNothingPlainAndShowsNothingSaidSince() {
    Person owner = person("plain0");
    Person other = person("plain1");
    String room = group(owner, other);
    JsonObject plain = new JsonObject().put("client_id", "p1").put("body", "hello");
    String messages = "/v1/rooms/" + room + "/messages";
    owner.at(port).ok("POST", messages, plain);
    long own = withKeys(owner);
    long theirs = withKeys(other);
    assertThat(seal(other, room).code()).isEqualTo("forbidden");
    Answer sealed = seal(owner, room);
    assertThat(sealed.status()).isEqualTo(200);
    JsonObject encryption = sealed.body().getJsonObject("encryption");
    assertThat(encryption.getLong("from_seq")).isEqualTo(2);
    assertThat(encryption.getLong("from_rev")).isEqualTo(sealed.body().getLong("rev"));
    assertThat(seal(owner, room).body().getLong("rev")).isEqualTo(sealed.body().getLong("rev"));

    assertThat(
            owner
                .at(port)
                .call("POST", messages, new JsonObject().put("client_id", "p2").put("body", "x"))
                .code())
        .isEqualTo("encrypted");
    assertThat(owner.at(port).ok("POST", messages, plain).getBoolean("duplicate")).isTrue();
    assertThat(
            owner
                .at(port)
                .call(
                    "PATCH",
                    messages + "/1",
                    new JsonObject().put("client_id", "e").put("body", "x"))
                .code())
        .isEqualTo("encrypted");

    JsonObject sent =
        owner
            .at(port)
            .ok(
                "POST",
                "/v1/rooms/" + room + "/envelopes",
                envelope("s1", digest(own, theirs), "opaque"));
    assertThat(sent.getLong("seq")).isEqualTo(2);
    JsonObject page = other.at(port).ok("GET", messages, null);
    assertThat(page.getJsonArray("messages")).hasSize(1);
    assertThat(page.getBoolean("has_newer")).isFalse();
    assertThat(page.getLong("seq")).isEqualTo(2);
    assertThat(other.at(port).call("GET", messages + "?after=2", null).code())
        .isEqualTo("encrypted");
    assertThat(other.at(port).call("GET", messages + "/2", null).code()).isEqualTo("encrypted");
    assertThat(other.at(port).call("GET", messages + "/2/versions", null).code())
        .isEqualTo("encrypted");
    assertThat(other.at(port).call("DELETE", messages + "/2", null).code()).isEqualTo("encrypted");
    JsonObject listed =
        other.at(port).ok("GET", "/v1/rooms", null).getJsonArray("rooms").getJsonObject(0);
    assertThat(listed.getJsonObject("last_message").getString("body")).isEqualTo("hello");
    assertThat(listed.getLong("unread")).isEqualTo(2);
    assertThat(owner.at(port).text("/v1/rooms/" + room + "/export"))
        .contains("hello")
        .contains("\"count\":1");
    assertThat(owner.at(port).call("DELETE", messages + "/1", null).status()).isEqualTo(200);
  }

  @Test
  void aDirectRoomIsSealedOnceBothHaveKeys() {
    Person one = person("direct0");
    Person two = person("direct1");
    String room =
        one.at(port)
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "direct")
                    .put("members", new JsonArray().add(two.accountId())))
            .getString("room_id");
    withKeys(one);
    Answer early = seal(two, room);
    assertThat(early.code()).isEqualTo("conflict");
    assertThat(early.body().getJsonObject("error").getString("message"))
        .contains(two.accountId())
        .doesNotContain(one.accountId());
    withKeys(two);
    assertThat(seal(two, room).status()).isEqualTo(200);
    JsonObject timed =
        one.at(port).ok("PATCH", "/v1/rooms/" + room, new JsonObject().put("expires_in_s", 3600));
    assertThat(timed.getInteger("expires_in_s")).isEqualTo(3600);
    assertThat(
            one.at(port)
                .call("PATCH", "/v1/rooms/" + room, new JsonObject().put("expires_in_s", 5))
                .code())
        .isEqualTo("invalid_field");
  }

  @Test
  void whoKnowsOtherDevicesIsToldAllOfThemOverSocketAndHttp(Vertx vertx) {
    Person owner = person("known0");
    Person other = person("known1");
    String room = group(owner, other);
    long own = withKeys(owner);
    seal(owner, room);
    long theirs = withKeys(other);
    ChatClient client = ChatClient.live(vertx, port, owner.token());

    JsonObject refused = client.ask(frame(room, "c", digest(own)));
    assertThat(refused.getString("code")).isEqualTo("device_mismatch");
    assertThat(refused.getBoolean("retryable")).isTrue();
    assertThat(refused.getJsonArray("devices").stream().map(JsonObject.class::cast))
        .extracting(each -> each.getLong("registration_id"))
        .containsExactlyInAnyOrder(own, theirs);
    assertThat(
            owner
                .at(port)
                .call(
                    "POST", "/v1/rooms/" + room + "/envelopes", envelope("c", digest(theirs), "p"))
                .body()
                .getJsonObject("error")
                .getJsonArray("devices"))
        .hasSize(2);

    JsonObject ack = client.ask(frame(room, "c", digest(own, theirs)));
    assertThat(ack.getString("type")).isEqualTo("envelope.ack");
    assertThat(ack.getString("status")).isEqualTo("sent");
    assertThat(ack.getString("local_id")).isEqualTo("l");
    assertThat(client.ask(frame(room, "c", digest(own, theirs))).getBoolean("duplicate")).isTrue();
    await()
        .untilAsserted(
            () ->
                assertThat(client.events(room))
                    .anySatisfy(
                        event -> {
                          assertThat(event.getString("kind")).isEqualTo("sealed");
                          assertThat(event.getLong("seq")).isEqualTo(ack.getLong("seq"));
                          assertThat(event.getString("actor_id")).isEqualTo(owner.accountId());
                        }));
    JsonObject log =
        other.at(port).ok("GET", "/v1/rooms/" + room + "/events?epoch=1&after_rev=0", null);
    JsonArray events = log.getJsonArray("events");
    assertThat(events.getJsonObject(events.size() - 1).getString("kind")).isEqualTo("sealed");
    client.cut();
  }

  private static JsonObject frame(String room, String clientId, String digest) {
    return envelope(clientId, digest, "opaque")
        .put("type", "envelope.send")
        .put("room_id", room)
        .put("local_id", "l");
  }

  /// Its sender is told, and can read it at any time.
  @Test
  void whatWaitsForARemovedDeviceFails(Vertx vertx) {
    Person owner = person("failed0");
    Person other = person("failed1");
    Person remover = other.onAnotherDevice(port);
    String room = group(owner, other);
    long own = withKeys(owner);
    long theirs = withKeys(other);
    seal(owner, room);
    ChatClient client = ChatClient.live(vertx, port, owner.token());
    long seq = client.ask(frame(room, "c", digest(own, theirs))).getLong("seq");
    remover.at(port).ok("DELETE", "/v1/devices/" + other.deviceId(), null);

    await()
        .untilAsserted(
            () ->
                assertThat(client.frames("message.ack"))
                    .anySatisfy(
                        ack -> {
                          assertThat(ack.getString("status")).isEqualTo("failed");
                          assertThat(ack.getString("reason")).isEqualTo("removed");
                          assertThat(ack.getString("account_id")).isEqualTo(other.accountId());
                          assertThat(ack.getLong("seq")).isEqualTo(seq);
                        }));
    JsonObject at =
        owner
            .at(port)
            .ok("GET", "/v1/rooms/" + room + "/deliveries", null)
            .getJsonArray("accounts")
            .getJsonObject(0);
    assertThat(at.getJsonArray("failed").getJsonObject(0).getString("reason")).isEqualTo("removed");
    client.cut();
  }

  @Test
  void whatCannotBeIsRefused() {
    Person owner = person("refused0");
    Person other = person("refused1");
    String room = group(owner, other);
    long own = withKeys(owner);
    String path = "/v1/rooms/" + room + "/envelopes";
    assertThat(owner.at(port).call("POST", path, envelope("a", digest(own), "p")).code())
        .isEqualTo("conflict");
    seal(owner, room);
    assertThat(other.at(port).call("POST", path, envelope("a", digest(own), "p")).code())
        .isEqualTo("conflict");
    assertThat(owner.at(port).call("POST", path, envelope("a", "x", "p")).code())
        .isEqualTo("invalid_field");
    assertThat(
            owner
                .at(port)
                .call("POST", path, envelope("a", digest(own), "p".repeat(49_153)))
                .code())
        .isEqualTo("too_large");
    assertThat(
            owner
                .at(port)
                .call(
                    "POST",
                    path,
                    new JsonObject().put("client_id", "a").put("devices", digest(own)))
                .code())
        .isEqualTo("invalid_field");
    assertThat(
            owner
                .at(port)
                .call("PATCH", "/v1/rooms/" + room, new JsonObject().put("capacity", 5))
                .code())
        .isEqualTo("conflict");
    String channel = owner.at(port).channel("refused");
    assertThat(seal(owner, channel).code()).isEqualTo("conflict");
  }
}
