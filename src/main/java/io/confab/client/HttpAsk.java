package io.confab.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.http.HttpMethod;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One HTTP request.
///
/// @param repeats how often it may be made again when its answer was lost
/// @param key the same in each repetition of a request that makes something
/// @param streamed whether the reader takes the answer at its own pace and alone watches for
///     silence
record HttpAsk(
    HttpMethod method,
    String path,
    @Nullable ObjectNode body,
    int repeats,
    @Nullable String key,
    boolean streamed) {
  private static final int REPEATABLE = 3;
  private static final int KEYED = 5;

  /// May be made again: it only reads, or has the same outcome twice.
  static HttpAsk repeatable(HttpMethod method, String path, @Nullable ObjectNode body) {
    return new HttpAsk(method, path, body, REPEATABLE, null, false);
  }

  /// Must not be made twice.
  static HttpAsk once(HttpMethod method, String path, @Nullable ObjectNode body) {
    return new HttpAsk(method, path, body, 0, null, false);
  }

  /// Makes something, once: the server knows a repetition by the key.
  static HttpAsk making(String path, ObjectNode body) {
    return new HttpAsk(HttpMethod.POST, path, body, KEYED, UUID.randomUUID().toString(), false);
  }

  static HttpAsk get(String path) {
    return repeatable(HttpMethod.GET, path, null);
  }

  /// A request without repeats, whose answer is taken at the reader's pace.
  static HttpAsk stream(String path) {
    return new HttpAsk(HttpMethod.GET, path, null, 0, null, true);
  }
}
