package io.confab.queue;

import io.confab.protocol.EnvelopeFields.KeyBody;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/// What a dead letter keeps of a send that could not be stored.
final class Letters {
  private Letters() {}

  /// The send as it came, without who sent it where.
  static String of(EnvelopeDraft draft) {
    JsonArray envelopes = new JsonArray();
    for (KeyBody body : draft.bodies()) {
      envelopes.add(
          new JsonObject()
              .put("registration_id", body.registrationId().value())
              .put("body", body.body()));
    }
    return new JsonObject()
        .put("devices", draft.digest())
        .put("silent", draft.silent())
        .put("payload", draft.payload())
        .put("envelopes", envelopes)
        .encode();
  }
}
