package io.confab.time;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Tries again what failed, for all who share an event loop: a few at a time, and with growing
/// pauses while one of these fails. So what is away for all is asked for by a few, however many
/// need it. Belongs to one event loop.
public final class Retries {
  /// Tried again at a time.
  static final int TOGETHER = 50;

  private final Deque<Supplier<Future<?>>> failed = new ArrayDeque<>();
  private final RetryLoop tries;

  public Retries(Timers timers, Backoff backoff) {
    this.tries = new RetryLoop(timers, backoff, Duration.ZERO, this::tryAgain);
  }

  /// Tries something at once, and again until it succeeds; done then, however long it takes. Each
  /// try must end by itself.
  public Future<Void> untilDone(Supplier<Future<?>> attempt) {
    Promise<Void> done = Promise.promise();
    Supplier<Future<?>> telling = () -> attempt.get().onSuccess(_ -> done.complete());
    telling
        .get()
        .onFailure(
            _ -> {
              failed.add(telling);
              tries.ask();
            });
    return done.future();
  }

  private Future<?> tryAgain() {
    List<Supplier<Future<?>>> some =
        Stream.generate(failed::poll).limit(Math.min(TOGETHER, failed.size())).toList();
    return some.isEmpty()
        ? Future.succeededFuture()
        : Future.join(some.stream().map(this::tryAgain).toList()).compose(_ -> tryAgain());
  }

  private Future<?> tryAgain(Supplier<Future<?>> attempt) {
    return attempt.get().onFailure(_ -> failed.add(attempt));
  }
}
