package io.confab.feed;

import io.confab.time.Wakefulness;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the database while that decides whether this node is cut off, and has its sockets sent away
/// once it is, see [Isolation]. Belongs to one context.
final class Lookout {
  private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);

  /// When this node was not awake to hear: several looks were left out.
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final Isolation isolation;
  private final LongSupplier nanoTime;
  private final Supplier<Future<Void>> database;
  private final Runnable sendAway;
  private final Wakefulness wakefulness;
  private boolean asking;

  /// @param database done when the database answers; always ends
  Lookout(
      Isolation isolation,
      LongSupplier nanoTime,
      Supplier<Future<Void>> database,
      Runnable sendAway) {
    this.isolation = isolation;
    this.nanoTime = nanoTime;
    this.database = database;
    this.sendAway = sendAway;
    this.wakefulness = new Wakefulness(PAUSE, nanoTime.getAsLong());
  }

  /// To be called several times a second.
  void look() {
    long now = nanoTime.getAsLong();
    if (wakefulness.slept(now)) {
      isolation.wake(now);
    }
    if (isolation.tick(now)) {
      LOG.warn("Neither PostgreSQL nor a peer was reached for {}", Isolation.LIMIT);
      sendAway.run();
    }
    if (!asking && isolation.asksDatabase(now)) {
      asking = true;
      database
          .get()
          .onSuccess(_ -> isolation.databaseAnswered(nanoTime.getAsLong()))
          .onComplete(_ -> asking = false);
    }
  }
}
