package io.confab;

import io.confab.config.Config;
import io.confab.feed.FeedHub;
import io.confab.feed.PublicationCodec;
import io.confab.feed.RecentWindow;
import io.confab.feed.RedisFanout;
import io.confab.metrics.DropReason;
import io.confab.metrics.Meters;
import io.confab.postgres.Instance;
import io.confab.protocol.NodeId;
import io.confab.redis.PubSub;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisUrl;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/// A node's two connections to Redis and what goes over them: commands, and the fan-out of
/// events.
record RedisExchange(RedisKeys keys, RedisCommands commands, RedisFanout fanout, FeedHub hub) {

  /// Does not wait for Redis.
  static RedisExchange open(
      Vertx vertx,
      RedisUrl url,
      Config.Redis config,
      NodeId node,
      Instance instance,
      Meters meters) {
    RedisKeys keys = new RedisKeys(config.keyPrefix());
    RedisCommands commands = new RedisCommands(vertx, url, config.commandTimeout());
    PublicationCodec codec = new PublicationCodec(instance.publishKey());
    RedisFanout fanout =
        new RedisFanout(
            vertx, commands, new PubSub(vertx, commands, keys.beatChannel(node)), keys, codec);
    FeedHub hub =
        new FeedHub(
            fanout,
            new RecentWindow(commands, keys, codec, config.recentEvents(), config.recentTtl()),
            instance.epoch());
    meters.publicationsDropped(DropReason.FORGED, fanout::refused);
    meters.publicationsDropped(DropReason.UNSENT, commands::dropped);
    commands.open();
    fanout.open(hub);
    return new RedisExchange(keys, commands, fanout, hub);
  }

  Future<Void> close() {
    return fanout.close().eventually(commands::close);
  }
}
