package io.confab.message;

import io.confab.config.Config;
import io.confab.feed.Announcer;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.time.Backoff;
import io.confab.time.Timing;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Makes the writers of a node, which differ only in the event loop that they belong to.
public record MessageWriters(Database database, Announcer announcer, Config config, Meters meters) {
  /// Many rooms wait behind a group that waits for one.
  private static final Duration LOCK_TIMEOUT = Duration.ofMillis(100);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /// A writer with a connection of its own, which is opened when the first message comes.
  public MessageWriter create(Vertx vertx) {
    Timing timing = Timing.of(vertx);
    return new MessageWriter(
        new MeteredLog(new AppendStore(database, LOCK_TIMEOUT), timing, meters),
        announcer,
        config.persistence(),
        timing,
        new Backoff(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault()));
  }
}
