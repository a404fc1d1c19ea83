package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.time.Backoff;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Makes a call again while the server may answer it later.
final class Retries {
  private final Pauses pauses;
  private final Backoff backoff;

  Retries(Pauses pauses, Backoff backoff) {
    this.pauses = pauses;
    this.backoff = backoff;
  }

  /// As often as it takes.
  <T> Future<T> run(Supplier<Future<T>> call) {
    return run(call, Integer.MAX_VALUE, ApiException::retryable);
  }

  /// @param tries at most
  /// @param again whether a refusal may be another one next time
  <T> Future<T> run(Supplier<Future<T>> call, int tries, Predicate<ApiException> again) {
    return attempt(call, 0, tries, again);
  }

  private <T> Future<T> attempt(
      Supplier<Future<T>> call, int failures, int tries, Predicate<ApiException> again) {
    return call.get()
        .recover(
            failure ->
                failure instanceof ApiException refusal
                        && again.test(refusal)
                        && failures + 1 < tries
                    ? pauses
                        .pause(pause(failures, refusal))
                        .compose(_ -> attempt(call, failures + 1, tries, again))
                    : Future.failedFuture(failure));
  }

  private Duration pause(int failures, ApiException refusal) {
    Duration least = refusal.retryAfter().orElse(Duration.ZERO);
    Duration drawn = backoff.delay(failures);
    return drawn.compareTo(least) > 0 ? drawn : least;
  }
}
