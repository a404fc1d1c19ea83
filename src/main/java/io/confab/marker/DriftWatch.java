package io.confab.marker;

import io.confab.marker.DriftStore.Compared;
import io.confab.time.Moments;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks through all accounts, a few every ten minutes, whether their unread counts are what their
/// messages say: from some of them on and then from the first, so that also those of a node that
/// never runs for long have their turn. Each node does; to be used on one context.
public final class DriftWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriftWatch.class);
  private static final Duration PERIOD = Duration.ofMinutes(10);
  private static final int AT_ONCE = 20;
  private static final long BEFORE_ALL = Long.MIN_VALUE;

  private final Vertx vertx;
  private final DriftStore store;
  private final LongConsumer differing;
  private final RandomGenerator random;
  private long after = BEFORE_ALL;
  private long timer = -1;

  /// @param differing is told how many markers count wrongly
  public DriftWatch(Vertx vertx, DriftStore store, LongConsumer differing, RandomGenerator random) {
    this.vertx = vertx;
    this.store = store;
    this.differing = differing;
    this.random = random;
  }

  public void start() {
    store.somewhere(random).onSuccess(account -> after = account);
    timer = Moments.periodic(vertx, PERIOD, this::look);
  }

  void look() {
    store
        .compare(after, AT_ONCE)
        .onSuccess(this::looked)
        .onFailure(failure -> LOG.warn("Unread counts were not compared: {}", failure.toString()));
  }

  private void looked(Compared found) {
    Long last = found.last();
    after = last == null ? BEFORE_ALL : last;
    if (found.uncompared() > 0) {
      LOG.warn("Account {} has too much unread to compare its counts with it", last);
    }
    if (found.differing() > 0) {
      differing.accept(found.differing());
      LOG.error(
          "{} of {} unread counts differ from the messages; `confab unread --check` looks at all of them",
          found.differing(),
          found.markers());
    }
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }
}
