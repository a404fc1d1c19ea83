package io.confab.client.sealedroom;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The event loop on which sealed rooms live; what is given to it from any thread is done in order.
final class SealedLoop implements Executor, Pauses {
  private final Vertx vertx;
  private final Context context;
  private boolean closed;

  SealedLoop(Vertx vertx) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
  }

  @Override
  public void execute(Runnable task) {
    context.runOnContext(_ -> task.run());
  }

  <T> Future<T> ask(Supplier<Future<T>> question) {
    Promise<T> answer = Promise.promise();
    execute(
        () -> {
          try {
            question.get().onComplete(answer);
          } catch (RuntimeException e) {
            answer.fail(e);
          }
        });
    return answer.future();
  }

  /// After what is to be done already.
  <T> Future<T> later(T value) {
    Promise<T> later = Promise.promise();
    execute(() -> later.complete(value));
    return later.future();
  }

  @Override
  public Future<Void> pause(Duration span) {
    Promise<Void> over = Promise.promise();
    vertx
        .timer(Math.max(1, span.toMillis()), TimeUnit.MILLISECONDS)
        .onSuccess(
            _ -> {
              if (!closed) {
                over.complete();
              }
            });
    return over.future();
  }

  /// No pause ends any more, so nothing is tried again.
  void close() {
    closed = true;
  }
}
