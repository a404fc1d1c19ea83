package io.confab.socket;

import io.confab.account.ChangeCount;
import io.vertx.core.Future;
import java.util.function.Supplier;

/// What a session has seen of the changes of its account, and whether it has to compare itself with
/// the database. Belongs to one event loop.
final class Comparison {
  private final Runnable soon;
  private ChangeCount compared;
  private long chosen;
  private boolean failed;

  /// @param at what the session knew when it began
  /// @param soon has the event loop look how often the account has changed, and then [#run] this
  Comparison(ChangeCount at, Runnable soon) {
    this.compared = at;
    this.chosen = at.chosen().number();
    this.soon = soon;
  }

  /// Whether the session has not heard of that choice of its account yet; now it has.
  boolean hears(long number) {
    boolean isNews = number > chosen;
    chosen = Math.max(chosen, number);
    return isNews;
  }

  /// Something could not be looked up: everything has to be.
  void again() {
    failed = true;
    soon.run();
  }

  /// Compares unless nothing has changed; fails when it has to be tried again.
  Future<Void> run(ChangeCount now, Supplier<Future<?>> look) {
    if (!failed && !now.isAfter(compared)) {
      return Future.succeededFuture();
    }
    failed = false;
    return look.get()
        .onSuccess(_ -> compared = now.isAfter(compared) ? now : compared)
        .onFailure(_ -> failed = true)
        .mapEmpty();
  }
}
