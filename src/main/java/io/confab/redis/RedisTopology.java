package io.confab.redis;

import java.util.List;

/// Which servers a Redis consists of.
sealed interface RedisTopology {
  /// One server.
  record Standalone(RedisServer server, RedisLogin login) implements RedisTopology {}

  /// A master, its replicas, and sentinels that know which of them the master is.
  ///
  /// @param entry how to enter a sentinel
  /// @param master the name that the sentinels have for it
  record Sentinel(List<RedisServer> sentinels, RedisLogin entry, String master, RedisLogin login)
      implements RedisTopology {}

  /// Masters that share the keys, and their replicas.
  ///
  /// @param seeds some servers, from which the others are learned
  record Cluster(List<RedisServer> seeds, RedisLogin login) implements RedisTopology {}
}
