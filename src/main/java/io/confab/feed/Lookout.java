package io.confab.feed;

import io.vertx.core.Future;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the database while that decides whether this node is cut off, and has its sockets sent away
/// once it is, see [Isolation]. Belongs to one context.
final class Lookout {
  private static final Logger LOG = LoggerFactory.getLogger(Lookout.class);

  private final Isolation isolation;
  private final LongSupplier awake;
  private final Supplier<Future<Void>> database;
  private final Runnable sendAway;
  private boolean asking;

  /// @param awake how long this node has been awake, in nanoseconds
  /// @param database done when the database answers; always ends
  Lookout(
      Isolation isolation, LongSupplier awake, Supplier<Future<Void>> database, Runnable sendAway) {
    this.isolation = isolation;
    this.awake = awake;
    this.database = database;
    this.sendAway = sendAway;
  }

  /// To be called several times a second.
  void look() {
    long now = awake.getAsLong();
    if (isolation.tick(now)) {
      LOG.warn("Neither PostgreSQL nor a peer was reached for {}", Isolation.LIMIT);
      sendAway.run();
    }
    if (!asking && isolation.asksDatabase(now)) {
      asking = true;
      database
          .get()
          .onSuccess(_ -> isolation.databaseAnswered(awake.getAsLong()))
          .onComplete(_ -> asking = false);
    }
  }
}
