package io.confab.seat;

import io.confab.redis.RedisInstance;
import io.confab.redis.RedisInstances;
import io.confab.seat.SeatStore.Looked;
import io.confab.time.Ticks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether Redis still has the seats, as this node knows it: it looks each second which servers it
/// sees, and which ones have the seats by the database. Where they are others, the epoch is raised,
/// by one node. What is known is good for three seconds. For any thread.
final class SeatEpochs {
  private static final Logger LOG = LoggerFactory.getLogger(SeatEpochs.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /// From before the look began.
  static final Duration GOOD = Duration.ofSeconds(3);

  /// A script that comes to Redis later than this after it was sent does nothing.
  static final Duration LATE = Duration.ofSeconds(5);

  private final Supplier<Future<RedisInstances>> instances;
  private final Look look;
  private final LongSupplier nanoTime;
  private volatile @Nullable Known known;
  private long greatest;
  private Set<String> strangers = Set.of();
  private @Nullable Future<Void> underWay;

  /// How the database is asked: [SeatStore#look].
  interface Look {
    Future<Looked> look(List<String> seen, long known, boolean sure, boolean isAll);
  }

  /// @param clock of the servers, the latest of them
  /// @param began when the look did; `ended`: when it had ended
  private record Known(Looked looked, long clock, long began, long ended) {}

  SeatEpochs(Supplier<Future<RedisInstances>> instances, Look look, LongSupplier nanoTime) {
    this.instances = instances;
    this.look = look;
    this.nanoTime = nanoTime;
  }

  /// Begins to look, until the node ends.
  void start(Vertx vertx) {
    vertx.runOnContext(
        _ -> {
          look();
          new Ticks(vertx, PERIOD, this::look).start();
        });
  }

  /// Looks now; who comes while a look is under way shares it. Fails while one of the two is away.
  synchronized Future<Void> look() {
    if (underWay != null) {
      return underWay;
    }
    long began = nanoTime.getAsLong();
    Future<Void> all =
        instances
            .get()
            .compose(seen -> ask(seen).map(looked -> learnt(seen.found(), looked, began)))
            .mapEmpty();
    underWay = all;
    all.onComplete(_ -> ended());
    return all;
  }

  private synchronized void ended() {
    underWay = null;
  }

  private synchronized Future<Looked> ask(RedisInstances instances) {
    List<String> seen = ids(instances.found());
    return look.look(seen, greatest, strangers.equals(Set.copyOf(seen)), instances.isAll());
  }

  private static List<String> ids(List<RedisInstance> found) {
    return found.stream().map(RedisInstance::runId).distinct().sorted().toList();
  }

  private synchronized Looked learnt(List<RedisInstance> found, Looked looked, long began) {
    List<String> seen = ids(found);
    Known before = known;
    greatest = Math.max(greatest, looked.epoch());
    if (looked.instances().containsAll(seen)) {
      strangers = Set.of();
      long clock = found.stream().mapToLong(RedisInstance::clock).max().orElse(0);
      known = new Known(looked, clock, began, nanoTime.getAsLong());
    } else {
      strangers = Set.copyOf(seen);
    }
    if (before != null && before.looked().epoch() < looked.epoch()) {
      LOG.warn("Redis is another one, or has lost its data: seats are claimed anew");
    }
    return looked;
  }

  /// What is in Redis is of this epoch, which the database does not know: it is an older copy.
  synchronized void met(long epoch) {
    greatest = Math.max(greatest, epoch);
  }

  /// For a script that is sent now; empty while nothing is known that is good.
  Optional<SeatTerms> terms() {
    Known current = known;
    long now = nanoTime.getAsLong();
    if (current == null || now - current.began() > GOOD.toNanos()) {
      return Optional.empty();
    }
    Duration since = Duration.ofNanos(now - current.ended());
    Looked looked = current.looked();
    Duration pause = left(SeatTerms.PAUSE, looked.raised(), since);
    Duration calm = left(RedisSeats.GRACE, looked.resumed(), since);
    boolean isQuiet = pause.isZero() && calm.isZero();
    return Optional.of(
        new SeatTerms(
            looked.epoch(),
            looked.instances(),
            current.clock() + since.plus(LATE).toMillis(),
            pause,
            calm,
            isQuiet ? Duration.ZERO : looked.away().plus(last(looked)).plus(since)));
  }

  /// How long ago the last of the two was.
  private static Duration last(Looked looked) {
    return Stream.of(looked.raised(), looked.resumed())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /// What is left of a span that began so long before the look ended.
  private static Duration left(Duration span, Optional<Duration> began, Duration since) {
    return began
        .map(ago -> span.minus(ago).minus(since))
        .filter(Duration::isPositive)
        .orElse(Duration.ZERO);
  }
}
