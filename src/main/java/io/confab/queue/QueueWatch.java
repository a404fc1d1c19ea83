package io.confab.queue;

import io.confab.feed.Announcer;
import io.confab.metrics.Meter;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.protocol.FailureReason;
import io.confab.queue.QueueWatchStore.Work;
import io.confab.time.Moments;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends what is due in queues, and tells senders what does not arrive. All nodes look, every second
/// while anything waits in queues, else every ten seconds, which is sooner than the shortest time
/// that a send can be given is over; what one takes the others leave.
public final class QueueWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueueWatch.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /// Of how many looks one is taken while nothing waits.
  private static final int CALM = 10;

  /// Sends of a transaction: each may stand in a thousand queues.
  private static final int SENDS = 20;

  private static final int FAILURES = 500;

  private final Vertx vertx;
  private final QueueWatchStore store;
  private final Announcer announcer;
  private final LongConsumer expired;
  private final Consumer<FailureReason> failed;
  private boolean looking;
  private boolean failing;
  private int left;
  private volatile boolean closed;

  public QueueWatch(Vertx vertx, Database database, Announcer announcer, Meters meters) {
    this.vertx = vertx;
    this.store = new QueueWatchStore(database);
    this.announcer = announcer;
    this.expired = meters::sendsExpired;
    this.failed = meters.counting(Meter.ENVELOPES_FAILED, FailureReason.class);
  }

  /// Begins to look, on one event loop.
  public void start() {
    vertx
        .getOrCreateContext()
        .runOnContext(_ -> Moments.periodic(vertx, INTERVAL, this::lookAlone));
  }

  private void lookAlone() {
    if (looking || closed || left-- > 0) {
      return;
    }
    looking = true;
    look()
        .onComplete(
            looked -> {
              left = looked.succeeded() && !looked.result() ? CALM - 1 : 0;
              if (looked.failed() && !failing && !closed) {
                LOG.warn("Queues are not looked at: {}", looked.cause().toString());
              }
              failing = looked.failed();
              looking = false;
            });
  }

  /// Looks once, and answers whether anything waits.
  public Future<Boolean> look() {
    return store.work().compose(work -> end(work).map(_ -> work.holds() || work.untold()));
  }

  private Future<Void> end(Work work) {
    if (work.due()) {
      return expire().compose(_ -> tell());
    }
    return work.untold() ? tell() : Future.succeededFuture();
  }

  private Future<Void> expire() {
    return store
        .expire(SENDS)
        .onSuccess(expired::accept)
        .compose(ended -> ended < SENDS || closed ? Future.succeededFuture() : expire());
  }

  /// Ends some of it.
  public Future<Void> expireSome() {
    return store.expire(SENDS).onSuccess(expired::accept).mapEmpty();
  }

  private Future<Void> tell() {
    return store
        .takeFailures(FAILURES)
        .onSuccess(
            told -> {
              told.found().forEach(failed);
              if (!told.lost().isEmpty()) {
                announcer.undelivered(told.lost());
              }
            })
        .compose(
            told -> told.found().size() < FAILURES || closed ? Future.succeededFuture() : tell());
  }

  @Override
  public void close() {
    closed = true;
  }
}
