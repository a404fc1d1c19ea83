package io.confab.access;

import io.vertx.core.json.JsonObject;

/// An answer over HTTP.
record Reply(int status, String text) {
  JsonObject json() {
    return new JsonObject(text);
  }
}
