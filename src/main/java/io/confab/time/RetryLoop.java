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
  private final Supplier<Future<?>> question;
  private final Duration rest;
  private Promise<Void> nextTry = Promise.promise();
  private boolean underWay;
  private boolean again;
  private boolean closed;

  public RetryLoop(Timers timers, Supplier<Future<?>> question) {
    this(timers, question, Duration.ZERO);
  }

  /// @param rest at least so long after an answer the next question waits
  public RetryLoop(Timers timers, Supplier<Future<?>> question, Duration rest) {
    this.timers = timers;
    this.question = question;
    this.rest = rest;
  }

  /// Done when it has been asked once since now, however that ended, or when it is closed.
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
    if (closed) {
      return;
    }
    Promise<Void> asked = nextTry;
    nextTry = Promise.promise();
    question
        .get()
        .onSuccess(_ -> answered())
        .onFailure(_ -> timers.retry(this::attempt))
        .onComplete(_ -> asked.complete());
  }

  private void answered() {
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

  public void close() {
    closed = true;
    nextTry.tryComplete();
  }
}
