package io.confab.account;

import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finishes removals of accounts that other nodes, which may be gone, have begun. All nodes look;
/// that several finish the same one hurts nobody.
public final class UnfinishedRemovals implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnfinishedRemovals.class);
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final AccountLifecycle lifecycle;
  private boolean looking;
  private long timer = -1;

  UnfinishedRemovals(Vertx vertx, AccountLifecycle lifecycle) {
    this.vertx = vertx;
    this.lifecycle = lifecycle;
  }

  /// Looks every ten seconds.
  public void start() {
    timer = vertx.setPeriodic(INTERVAL.toMillis(), _ -> look());
  }

  private void look() {
    if (looking) {
      return;
    }
    looking = true;
    lifecycle
        .finishRemovals(INTERVAL)
        .onFailure(failure -> LOG.warn("Removals were not finished: {}", failure.toString()))
        .onComplete(_ -> looking = false);
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }
}
