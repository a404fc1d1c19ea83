package io.confab.message;

import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.feed.Announcer;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.time.Backoff;
import io.confab.time.Timing;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/// Makes the writers of a node, which differ only in the event loop that they belong to.
public final class MessageWriters {
  /// Many rooms wait behind a group that waits for one.
  private static final Duration LOCK_TIMEOUT = Duration.ofMillis(100);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final Database database;
  private final Announcer announcer;
  private final Config config;
  private final Meters meters;
  private final List<MessageWriter> made = new CopyOnWriteArrayList<>();

  public MessageWriters(Database database, Announcer announcer, Config config, Meters meters) {
    this.database = database;
    this.announcer = announcer;
    this.config = config;
    this.meters = meters;
    meters.writersWaiting(() -> made.stream().mapToInt(MessageWriter::waiting).sum());
  }

  /// For the sends, edits and deletions of a lane.
  public MessageWriter plain(Vertx vertx) {
    return create(vertx, MemoryShares.ofProcess().writers());
  }

  /// For what a lane puts into queues: locked queues hold up nobody else. A room has sends of one
  /// kind only, so no order is lost.
  public MessageWriter sealed(Vertx vertx) {
    return create(vertx, MemoryShares.ofProcess().sealedWriters());
  }

  /// A writer with a connection of its own, which is opened when the first message comes.
  private MessageWriter create(Vertx vertx, long bytesOfAll) {
    Timing timing = Timing.of(vertx);
    MessageWriter writer =
        new MessageWriter(
            new MeteredLog(
                new AppendStore(database, LOCK_TIMEOUT, config.queues()), timing, meters),
            announcer,
            config.persistence(),
            bytesOfAll / config.persistence().lanes(),
            timing,
            new Backoff(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault()));
    made.add(writer);
    return writer;
  }
}
