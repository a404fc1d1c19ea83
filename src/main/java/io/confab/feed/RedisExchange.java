package io.confab.feed;

import io.confab.bus.Bus;
import io.confab.config.Config;
import io.confab.metrics.Meters;
import io.confab.postgres.Instance;
import io.confab.redis.PubSub;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisUrl;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;

/// A node's two connections to Redis and what goes over them: commands, and the fan-out of
/// events, with the digests that tell when some of it was lost.
public record RedisExchange(
    RedisKeys keys,
    RedisCommands commands,
    RedisFanout fanout,
    FeedHub hub,
    GatheredEvents recent,
    DigestExchange digests) {

  /// A transaction ends a moment after its last statement was cancelled.
  private static final Duration AFTER_STATEMENTS = Duration.ofSeconds(1);

  /// Does not wait for Redis.
  public static RedisExchange open(
      Vertx vertx, Bus bus, RedisUrl url, Config config, Instance instance, Meters meters) {
    RedisKeys keys = new RedisKeys(config.redis().keyPrefix());
    RedisCommands commands = new RedisCommands(vertx, url, config.redis().commandTimeout());
    PublicationCodec codec = new PublicationCodec(instance.publishKey());
    RedisFanout fanout =
        new RedisFanout(
            vertx,
            commands,
            new PubSub(vertx, commands, keys.beatChannel(bus.node())),
            keys,
            codec);
    Duration gone = config.postgres().statementTimeout().plus(AFTER_STATEMENTS);
    RedisRecentWindow window =
        new RedisRecentWindow(
            commands,
            keys,
            codec,
            new RedisRecentWindow.Extent(
                config.redis().recentEvents(),
                config.redis().recentBytes(),
                config.redis().recentTtl(),
                config.redis().recentMemory()));
    GatheredEvents recent = new GatheredEvents(window, Timing.of(vertx));
    FeedHub hub = new FeedHub(fanout, recent, codec::seal, new DigestLog(), instance.epoch());
    DigestExchange digests =
        new DigestExchange(
            vertx,
            fanout,
            bus,
            hub,
            new DigestExchange.Origin(
                new SecureRandom().nextLong(),
                gone,
                instance.publishKey(),
                instance.epoch()::current,
                instance.epoch()::saw),
            meters);
    meters.publicationsDropped(DropReason.FORGED, () -> fanout.refused() + digests.refused());
    meters.publicationsDropped(DropReason.UNSENT, commands::dropped);
    commands.open();
    fanout.open(hub);
    digests.open();
    return new RedisExchange(keys, commands, fanout, hub, recent, digests);
  }

  public Future<Void> close() {
    recent.pass();
    return digests
        .close()
        .compose(_ -> commands.ping().otherwiseEmpty()) // so the last digest has gone out
        .eventually(fanout::close)
        .eventually(commands::close);
  }
}
