package io.confab.client;

import io.vertx.core.Future;

/// Takes the lines of an export, one after the other.
@FunctionalInterface
public interface LineSink {
  /// @param json one message, or last the object with `end`
  /// @return done when the next line may come
  Future<Void> line(String json);
}
