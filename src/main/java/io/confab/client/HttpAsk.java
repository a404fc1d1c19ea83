package io.confab.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/// One HTTP request.
///
/// @param repeats how often it may be made again when its answer was lost
record HttpAsk(HttpMethod method, String path, @Nullable ObjectNode body, int repeats) {
  private static final int REPEATABLE = 3;

  /// May be made again: it asks, or has the same outcome twice.
  static HttpAsk repeatable(HttpMethod method, String path, @Nullable ObjectNode body) {
    return new HttpAsk(method, path, body, REPEATABLE);
  }

  /// Must not be made twice.
  static HttpAsk once(HttpMethod method, String path, @Nullable ObjectNode body) {
    return new HttpAsk(method, path, body, 0);
  }

  static HttpAsk get(String path) {
    return repeatable(HttpMethod.GET, path, null);
  }

  HttpAsk repeats(int most) {
    return new HttpAsk(method, path, body, most);
  }
}
