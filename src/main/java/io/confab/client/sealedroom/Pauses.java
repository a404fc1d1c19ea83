package io.confab.client.sealedroom;

import io.vertx.core.Future;
import java.time.Duration;

/// Waits.
@FunctionalInterface
interface Pauses {
  /// Done after this span, on the loop.
  Future<Void> pause(Duration span);
}
