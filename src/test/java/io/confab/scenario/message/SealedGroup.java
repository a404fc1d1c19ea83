package io.confab.scenario.message;

import io.confab.config.Sha256;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// A sealed group of devices whose keys are made up, as the server does not look at them.
///
/// @param digest of all its devices
record SealedGroup(String id, String digest) {
  /// @param devices the owner's first; several may be of one account
  static SealedGroup of(int port, Person... devices) {
    List<Long> registrations = new ArrayList<>();
    for (Person device : devices) {
      JsonObject keys =
          new JsonObject().put("suite", "olm1").put("identity", "identity of " + device.deviceId());
      registrations.add(device.at(port).ok("PUT", "/v1/me/keys", keys).getLong("registration_id"));
    }
    Person owner = devices[0];
    List<String> members =
        List.of(devices).stream()
            .map(Person::accountId)
            .distinct()
            .filter(account -> !account.equals(owner.accountId()))
            .toList();
    JsonObject group =
        new JsonObject()
            .put("type", "group")
            .put("name", "G")
            .put("members", new JsonArray(members));
    String id = owner.at(port).ok("POST", "/v1/rooms", group).getString("room_id");
    JsonObject seal = new JsonObject().put("encryption", new JsonObject().put("suite", "olm1"));
    owner.at(port).ok("PATCH", "/v1/rooms/" + id, seal);
    String named =
        registrations.stream()
            .sorted(Comparator.naturalOrder())
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    return new SealedGroup(id, Sha256.hex(named, 8));
  }

  /// A send whose payload is its client_id.
  JsonObject saying(String payload) {
    return new JsonObject()
        .put("type", "envelope.send")
        .put("room_id", id)
        .put("client_id", payload)
        .put("devices", digest)
        .put("payload", payload);
  }

  static JsonObject open(ChatClient client, long after) {
    return client.ask(
        new JsonObject().put("type", "queue.open").put("epoch", 1).put("after", after));
  }

  static JsonObject ack(long seq) {
    return new JsonObject().put("type", "queue.ack").put("queue_seq", seq);
  }

  static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }
}
