package io.confab.time;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.function.Supplier;

/// A question that is asked again until it is answered, never twice at a time. A request that
/// comes while the question is under way makes it be asked once more afterwards, and not before
/// a rest. Belongs to one event loop.
public final class RetryLoop {
  private final Timers timers;
  private final Backoff backoff;
  private final Duration rest;
  private final Supplier<Future<?>> question;
  private Promise<Void> nextTry = Promise.promise();
  private int failures;
  private boolean underWay;
  private boolean again;

  /// @param rest at least so long after an answer the next question waits
  public RetryLoop(Timers timers, Backoff backoff, Duration rest, Supplier<Future<?>> question) {
    this.timers = timers;
    this.backoff = backoff;
    this.rest = rest;
    this.question = question;
  }

  /// Done when it has been asked once since now, however that ended.
  public Future<Void> ask() {
    Future<Void> asked = nextTry.future();
    again = underWay;
    if (!underWay) {
      underWay = true;
      attempt();
    }
    return asked;
  }

  private void attempt() {
    Promise<Void> asked = nextTry;
    nextTry = Promise.promise();
    question
        .get()
        .onSuccess(_ -> answered())
        .onFailure(_ -> failed())
        .onComplete(_ -> asked.complete());
  }

  private void failed() {
    timers.after(backoff.delay(failures), this::attempt);
    failures++;
  }

  private void answered() {
    failures = 0;
    if (rest.isZero()) {
      rested();
    } else {
      timers.after(rest, this::rested);
    }
  }

  private void rested() {
    if (again) {
      again = false;
      attempt();
    } else {
      underWay = false;
    }
  }
}
