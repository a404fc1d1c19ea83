package io.confab.retention;

import io.confab.metrics.Meter;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.time.Moments;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes what is over. All nodes look every minute; the one whose turn it is removes a portion of
/// each thing, one after the other, until nothing is left.
///
/// After each portion it rests for some times as long as that took: a database that is slow has
/// more rest, and a backlog takes no more than a fifth of one connection. What fails is left for
/// the next minute.
public final class Sweeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);

  /// Rows of a portion.
  static final int AT_ONCE = 500;

  private static final int REST = 4;
  private static final Duration SHORTEST_REST = Duration.ofMillis(100);

  /// Shorter than the lease.
  private static final Duration LONGEST_REST = Duration.ofSeconds(10);

  private final Timing timing;
  private final SweepStore store;
  private final List<Rule> rules;
  private final ObjIntConsumer<Swept> removed;
  private final Set<Swept> failing = EnumSet.noneOf(Swept.class);
  private boolean sweeping;
  private boolean unreachable;
  private volatile boolean closed;
  private volatile long sweptAt;

  /// @param nonce a number that no other node has
  public Sweeper(Timing timing, Database database, long nonce, List<Rule> rules, Meters meters) {
    this.timing = timing;
    this.store = new SweepStore(database, nonce);
    this.rules = List.copyOf(rules);
    this.removed = meters.adding(Meter.ROWS_REMOVED, Swept.class);
    meters.swept(() -> sweptAt);
  }

  /// Looks now and every minute, on one event loop.
  public void start(Vertx vertx) {
    vertx
        .getOrCreateContext()
        .runOnContext(
            _ -> {
              sweepAlone();
              Moments.periodic(vertx, PERIOD, this::sweepAlone);
            });
  }

  private void sweepAlone() {
    if (sweeping || closed) {
      return;
    }
    sweeping = true;
    sweep()
        .onComplete(
            swept -> {
              if (swept.failed() && !unreachable && !closed) {
                LOG.warn("Rows that are over stay: {}", swept.cause().toString());
              }
              unreachable = swept.failed();
              sweeping = false;
            });
  }

  /// Removes all that is over, if it is this node's turn.
  Future<Void> sweep() {
    return store
        .begin()
        .compose(
            turn -> {
              sweptAt = turn.sweptAt();
              return turn.taken() ? new Run().all() : Future.succeededFuture();
            });
  }

  /// One run. Its steps call each other in turn instead of being one future made of thousands.
  private final class Run {
    private final Deque<Rule> left = new ArrayDeque<>(rules);
    private final Promise<Void> over = Promise.promise();
    private boolean whole = true;

    Future<Void> all() {
      next();
      return over.future();
    }

    private void next() {
      if (left.isEmpty() || closed) {
        end();
        return;
      }
      Rule rule = left.removeFirst();
      long began = timing.nanoTime();
      store
          .remove(rule, AT_ONCE)
          .onSuccess(portion -> removed(rule, portion, timing.nanoTime() - began))
          .onFailure(failure -> failed(rule, failure));
    }

    private void removed(Rule rule, OptionalInt portion, long nanos) {
      if (portion.isEmpty()) {
        over.complete(); // another node goes on
        return;
      }
      rule.committed().run();
      failing.remove(rule.what());
      removed.accept(rule.what(), portion.getAsInt());
      if (portion.getAsInt() < AT_ONCE) {
        next();
      } else {
        left.addLast(rule);
        timing.pause(rest(nanos)).onSuccess(_ -> next());
      }
    }

    private void failed(Rule rule, Throwable failure) {
      whole = false;
      if (failing.add(rule.what()) && !closed) {
        LOG.warn("Rows that are over stay, rule {}: {}", rule.what().wire(), failure.toString());
      }
      next();
    }

    private void end() {
      store
          .end(whole && left.isEmpty())
          .onSuccess(at -> sweptAt = at)
          .<Void>mapEmpty()
          .onComplete(over);
    }
  }

  static Duration rest(long nanos) {
    Duration rest = Duration.ofNanos(nanos).multipliedBy(REST);
    return rest.compareTo(SHORTEST_REST) < 0
        ? SHORTEST_REST
        : rest.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : rest;
  }

  /// No further portion begins; one that is under way is finished, or rolled back with its
  /// connection.
  @Override
  public void close() {
    closed = true;
  }
}
