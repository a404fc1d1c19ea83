package io.confab.queue;

import io.confab.feed.FeedHub;
import io.confab.postgres.Database;
import io.confab.time.Moments;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has devices woken for which this node has put something into empty queues, and now and then
/// those that another node has forgotten.
public final class QueueWakes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueueWakes.class);
  private static final Duration SWEEP = Duration.ofMinutes(1);
  private static final int TICKS = 4;

  private final Vertx vertx;
  private final WakeStore store;
  private final Duration after;
  private final WakeWatch watch;
  private long ticking = -1;
  private long sweeping = -1;

  /// @param after how long a queue may wait before its device is woken
  public QueueWakes(Vertx vertx, Database database, Duration after, Wakes wakes) {
    this.vertx = vertx;
    this.store = new WakeStore(database, after);
    this.after = after;
    this.watch = new WakeWatch(after, store::claim, wakes, System::nanoTime);
  }

  /// Begins to look after what is announced here.
  public void start(FeedHub hub) {
    hub.onQueued(watch::queued);
    Duration tick = Duration.ofMillis(Math.max(1, after.toMillis() / TICKS));
    ticking = Moments.periodic(vertx, tick, watch::tick);
    sweeping = Moments.periodic(vertx, SWEEP, this::sweep);
  }

  /// Whoever is to be woken by a node that lives has been by then.
  private void sweep() {
    store
        .forgotten(after.plus(SWEEP), WakeWatch.AT_ONCE)
        .onSuccess(watch::forgotten)
        .onFailure(failure -> LOG.debug("Nobody looked for forgotten devices", failure));
  }

  @Override
  public void close() {
    vertx.cancelTimer(ticking);
    vertx.cancelTimer(sweeping);
  }
}
