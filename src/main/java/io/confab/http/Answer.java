package io.confab.http;

import io.confab.protocol.Json;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/// What an endpoint answers: a status and, but for 204, a JSON object.
record Answer(int status, @Nullable Buffer content) {
  static final int OK = 200;
  static final int CREATED = 201;
  static final int NO_CONTENT = 204;

  static Answer ok(Object content) {
    return of(OK, content);
  }

  static Answer created(Object content) {
    return of(CREATED, content);
  }

  /// 201 for a thing that is new, 200 for one that was there.
  static Answer made(boolean isNew, Object content) {
    return of(isNew ? CREATED : OK, content);
  }

  static Answer noContent() {
    return new Answer(NO_CONTENT, null);
  }

  static Answer of(int status, Object content) {
    return new Answer(status, Buffer.buffer(Json.bytes(content)));
  }
}
