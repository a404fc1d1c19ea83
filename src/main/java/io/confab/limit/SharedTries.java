package io.confab.limit;

import io.vertx.core.Future;
import java.time.Duration;

/// The tries to sign in that all nodes have in common.
public interface SharedTries {
  /// Begins a try: answers zero, or how long to wait, and then the try does not count. Any failure
  /// means: unknown.
  Future<Duration> begin(String who);

  /// Forgets all tries: one of them succeeded.
  Future<Void> forget(String who);

  /// Takes a try back that nobody judged; those before it still count.
  Future<Void> withdraw(String who);
}
