package io.confab.redis;

import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.Set;

/// Distinguishes what Redis refused from what it could not do now.
final class RedisError {
  /// First words of the errors that pass by themselves
  /// (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors).
  private static final Set<String> PASSING =
      Set.of(
          "CONNECTION_CLOSED",
          "LOADING",
          "BUSY",
          "OOM",
          "READONLY",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "NOREPLICAS",
          "MISCONF",
          "MOVED",
          "ASK");

  private RedisError() {}

  /// `unavailable` for a lost connection and for what may succeed later, else the error itself.
  static Throwable of(Throwable failure) {
    if (failure instanceof Refusal) {
      return failure;
    }
    if (failure instanceof Response && !PASSING.contains(firstWord(failure))) {
      return failure;
    }
    return Refusal.unavailable("Redis did not answer");
  }

  static <T> Future<T> away() {
    return Future.failedFuture(Refusal.unavailable("Redis is away"));
  }

  static boolean isReadOnly(Throwable failure) {
    return failure instanceof Response && firstWord(failure).equals("READONLY");
  }

  static boolean isUnknownScript(Throwable failure) {
    return failure instanceof Response && firstWord(failure).equals("NOSCRIPT");
  }

  private static String firstWord(Throwable failure) {
    return String.valueOf(failure.getMessage()).split(" ", 2)[0];
  }
}
