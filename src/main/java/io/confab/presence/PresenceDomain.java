package io.confab.presence;

import io.confab.feed.Announcer;
import io.confab.postgres.Database;
import io.confab.protocol.NodeId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.vertx.core.Vertx;
import java.util.UUID;
import java.util.function.IntConsumer;

/// The presence of a node that has the role, put together.
public final class PresenceDomain {
  private PresenceDomain() {}

  /// Begins the regular work, too.
  ///
  /// @param transitions is told how many happened
  public static PresenceHandler start(
      Vertx vertx, NodeId node, Storage storage, Announcer announcer, IntConsumer transitions) {
    PresentPeople people =
        new PresentPeople(
            node,
            storage.shards(),
            new RedisPresence(
                storage.commands(),
                storage.keys(),
                storage.shards(),
                node + "-" + UUID.randomUUID()),
            new PresenceStore(storage.database()),
            announcer,
            transitions);
    people.start(vertx);
    return new PresenceHandler(
        vertx, new RedisConnectionRegistry(storage.commands(), storage.keys()), people);
  }

  /// Where it keeps what it knows.
  public record Storage(
      Database database, RedisCommands commands, RedisKeys keys, PresenceShards shards) {}
}
