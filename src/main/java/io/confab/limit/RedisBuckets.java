package io.confab.limit;

import io.confab.config.Rate;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisScript;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/// Buckets in Redis: keys `limit:<what>:{<who>}`, one command for each chunk that a node reports.
/// Fails with `unavailable` while Redis is away.
public final class RedisBuckets implements SharedBuckets {
  private static final double NANOS_PER_MICRO = 1_000;
  private static final double DEBT_MICROS = Bucket.LONGEST_DEBT.toNanos() / NANOS_PER_MICRO;

  private final RedisCommands commands;
  private final RedisKeys keys;
  private final RedisScript take = RedisScript.resource(RedisBuckets.class, "take.lua");

  public RedisBuckets(RedisCommands commands, RedisKeys keys) {
    this.commands = commands;
    this.keys = keys;
  }

  @Override
  public Future<Duration> take(Limit limit, String who, Rate rate, int tokens) {
    double tokenMicros = rate.per().toNanos() / NANOS_PER_MICRO / rate.count();
    return take.run(
            commands,
            List.of(keys.limit(limit.wire(), who)),
            List.of(
                Double.toString(tokenMicros),
                Integer.toString(tokens),
                Double.toString(tokenMicros * rate.burst() + DEBT_MICROS)))
        .map(missing -> Duration.ofNanos((long) (missing.toLong() * NANOS_PER_MICRO)));
  }
}
