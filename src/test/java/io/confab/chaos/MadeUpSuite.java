package io.confab.chaos;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.random.RandomGenerator;

/// What devices of sealed rooms say to each other instead of `olm1`: keys are names, and who has
/// been told the name of a key can read what needs it.
final class MadeUpSuite {
  private static final int ONE_TIME_KEYS = 5;
  private static final String FOR = " for ";

  private MadeUpSuite() {}

  /// What a device uploads; of the same device it is always the same.
  static JsonObject keys(String device) {
    JsonArray oneTime = new JsonArray();
    for (int i = 0; i < ONE_TIME_KEYS; i++) {
      oneTime.add(key(device, "one" + i));
    }
    return new JsonObject()
        .put("suite", "olm1")
        .put("identity", "identity of " + device)
        .put("fallback_key", key(device, "fallback"))
        .put("one_time_keys", oneTime);
  }

  private static JsonObject key(String device, String id) {
    return new JsonObject().put("id", id).put("key", id + " of " + device);
  }

  /// Brings a key to one device.
  static String body(String key, long registration) {
    return key + FOR + registration;
  }

  /// The key that a body brings to this device, or all of one that is for another.
  static String brings(String body, long registration) {
    String end = FOR + registration;
    return body.endsWith(end) ? body.substring(0, body.length() - end.length()) : body;
  }

  /// Words that need a key.
  static String payload(String key, String clientId, RandomGenerator random) {
    return BodyText.of(clientId + " by " + key, random);
  }
}
