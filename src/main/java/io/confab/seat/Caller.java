package io.confab.seat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who asks for what others may have to end, or to begin: what is its own goes on where it belongs,
/// and what fails there keeps nobody else from going on.
///
/// @param context null: any thread
record Caller(@Nullable Context context) {
  private static final Logger LOG = LoggerFactory.getLogger(Caller.class);

  static Caller current() {
    return new Caller(Vertx.currentContext());
  }

  void run(Runnable work) {
    if (context != null && context != Vertx.currentContext()) {
      context.runOnContext(_ -> work.run());
      return;
    }
    try {
      work.run();
    } catch (RuntimeException failure) {
      LOG.error("What waited for seats failed", failure);
    }
  }

  /// The same result, there.
  <T> Future<T> handOver(Future<T> result) {
    if (context == null) {
      return result;
    }
    Promise<T> promise = Promise.promise();
    result.onComplete(end -> run(() -> promise.handle(end)));
    return promise.future();
  }
}
