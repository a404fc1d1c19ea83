package io.confab.limit;

import io.confab.config.Config;
import io.confab.config.Rate;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Decides for this node whether something is done too often. It answers at once and reports to
/// Redis afterwards, in chunks: so requests keep their order, and none waits for Redis, whether it
/// answers, hangs or is away; meanwhile each node counts alone. For any thread.
public final class Limits {
  private static final int MOST_BUCKETS = 200_000;
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  private final Map<Limit, Rate> rates = new EnumMap<>(Limit.class);
  private final SharedBuckets shared;
  private final Consumer<Limit> refused;
  private final LongSupplier nanoTime;
  private final BucketTable buckets;

  /// @param refused hears of each refusal
  public Limits(
      Config.Rates rates, SharedBuckets shared, Consumer<Limit> refused, LongSupplier nanoTime) {
    this(rates, shared, refused, nanoTime, MOST_BUCKETS);
  }

  Limits(
      Config.Rates rates,
      SharedBuckets shared,
      Consumer<Limit> refused,
      LongSupplier nanoTime,
      int mostBuckets) {
    for (Limit limit : Limit.values()) {
      this.rates.put(limit, limit.rate(rates));
    }
    this.shared = shared;
    this.refused = refused;
    this.nanoTime = nanoTime;
    this.buckets =
        new BucketTable(
            mostBuckets,
            key -> new Bucket(rate(key.limit()), nanoTime.getAsLong()),
            bucket -> bucket.isIdle(nanoTime.getAsLong()));
  }

  /// Counts one. Refusal: `rate_limited` with the time to wait; then it is not counted.
  ///
  /// @param who an id, or an address by [io.confab.listener.ClientAddress#group]
  public void take(Limit limit, String who) {
    BucketTable.Key key = new BucketTable.Key(limit, who);
    Tried tried =
        with(
            key,
            bucket -> {
              long now = nanoTime.getAsLong();
              Duration wait = bucket.delay(now);
              if (!wait.isZero()) {
                return new Tried(wait, 0);
              }
              bucket.take(now);
              return new Tried(wait, due(limit, bucket));
            });
    if (!tried.delay().isZero()) {
      throw refusal(limit, tried.delay());
    }
    report(key, tried.due());
  }

  /// What became of one that was to be counted: it has to wait, or so many tokens are to be
  /// reported.
  private record Tried(Duration delay, int due) {}

  /// Gives one back that [#take] counted.
  public void giveBack(Limit limit, String who) {
    BucketTable.Key key = new BucketTable.Key(limit, who);
    report(
        key,
        with(
            key,
            bucket -> {
              bucket.giveBack(nanoTime.getAsLong());
              return due(limit, bucket);
            }));
  }

  /// Whether one more would be let through, without counting it. Refusal: as above.
  public void check(Limit limit, String who) {
    Duration wait = delay(limit, who);
    if (!wait.isZero()) {
      throw refusal(limit, wait);
    }
  }

  /// How long until one more would be let through; zero if it would be now.
  public Duration delay(Limit limit, String who) {
    return with(new BucketTable.Key(limit, who), bucket -> bucket.delay(nanoTime.getAsLong()));
  }

  /// How much of a limit is left.
  ///
  /// @param untilFull how long until all of it is there again
  public record Standing(long left, Duration untilFull) {}

  /// How much is left for somebody now, as far as this node knows.
  public Standing standing(Limit limit, String who) {
    return with(
        new BucketTable.Key(limit, who),
        bucket -> {
          long now = nanoTime.getAsLong();
          return new Standing(bucket.tokens(now), bucket.untilFull(now));
        });
  }

  /// Runs work that counts once it succeeds: work that is refused for another reason does not.
  /// Refusals: as above, without running it; and those of the work.
  public <T> Future<T> counted(Limit limit, String who, Supplier<Future<T>> work) {
    check(limit, who);
    return work.get().onSuccess(_ -> count(limit, who));
  }

  /// Counts one that has already happened, also beyond the limit.
  public void count(Limit limit, String who) {
    count(limit, who, 1);
  }

  /// Counts several, as above.
  public void count(Limit limit, String who, int times) {
    BucketTable.Key key = new BucketTable.Key(limit, who);
    report(
        key,
        with(
            key,
            bucket -> {
              long now = nanoTime.getAsLong();
              for (int i = 0; i < times; i++) {
                bucket.take(now);
              }
              return due(limit, bucket);
            }));
  }

  /// Tokens that are to be reported now.
  private static int due(Limit limit, Bucket bucket) {
    return limit.isShared() ? bucket.report(limit.chunk()) : 0;
  }

  private void report(BucketTable.Key key, int tokens) {
    if (tokens != 0) {
      shared
          .take(key.limit(), key.who(), rate(key.limit()), tokens)
          .onSuccess(missing -> reported(key, missing))
          .onFailure(_ -> reportFailed(key));
    }
  }

  private void reported(BucketTable.Key key, Duration missing) {
    int filledMeanwhile =
        with(
            key,
            bucket -> {
              bucket.reported(missing, nanoTime.getAsLong());
              return due(key.limit(), bucket);
            });
    report(key, filledMeanwhile);
  }

  private void reportFailed(BucketTable.Key key) {
    with(
        key,
        bucket -> {
          bucket.reportFailed();
          return bucket;
        });
  }

  private <T> T with(BucketTable.Key key, Function<Bucket, T> work) {
    return buckets.with(key, work);
  }

  /// As it is configured.
  public Rate rate(Limit limit) {
    Rate rate = rates.get(limit);
    if (rate == null) {
      throw new IllegalStateException("no rate for " + limit);
    }
    return rate;
  }

  /// The refusal of [#take], for a caller that counts by itself.
  Refusal refusal(Limit limit, Duration wait) {
    refused.accept(limit);
    Duration shown = wait.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : wait;
    return new Refusal(ErrorCode.RATE_LIMITED, null, "too often: " + limit.wire(), shown);
  }

  /// Buckets held now.
  int size() {
    return buckets.size();
  }
}
