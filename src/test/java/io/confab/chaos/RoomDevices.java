package io.confab.chaos;

import io.confab.config.Sha256;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What one device takes for the devices of a sealed room, and to which of them it has told its
/// key: a new one after some messages, and whenever one of those that had the last one is gone.
final class RoomDevices {
  private static final int MOST_USES = 20;
  private static final int DIGEST_BYTES = 8;

  private final String device;
  private final long own;
  private final SortedMap<Long, JsonObject> all = new TreeMap<>();
  private final Set<Long> told = new HashSet<>();
  private int keys;
  private int uses;

  /// Knows no device yet, so that the first send is told all of them.
  RoomDevices(String device, String room, long own) {
    this.device = device + "/" + room;
    this.own = own;
  }

  /// The server says that these are the devices of the room.
  void are(JsonArray devices) {
    all.clear();
    Views.objects(devices).forEach(each -> all.put(each.getLong("registration_id"), each));
    if (!all.keySet().containsAll(told)) {
      changeKey();
    }
  }

  private void changeKey() {
    keys++;
    uses = 0;
    told.clear();
  }

  /// The one to use for what is said next.
  String nextKey() {
    if (++uses > MOST_USES) {
      changeKey();
    }
    return key();
  }

  private String key() {
    return device + "/" + keys;
  }

  /// These have this key for certain.
  void have(String key, Collection<Long> registrations) {
    if (key.equals(key())) {
      told.addAll(registrations);
    }
  }

  /// Those that do not have the key.
  List<JsonObject> without() {
    return all.values().stream()
        .filter(each -> isWithout(each.getLong("registration_id")))
        .toList();
  }

  private boolean isWithout(long registration) {
    return registration != own && !told.contains(registration);
  }

  /// All registrations, ascending, with commas.
  String numbers() {
    return all.keySet().stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /// How a send names them.
  String digest() {
    return Sha256.hex(numbers(), DIGEST_BYTES);
  }
}
