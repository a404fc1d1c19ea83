package io.confab.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.RedisConnection;

/// Knows which server a connection is to lead to.
interface ServerLocator {
  /// Where it is now. Asked before each attempt to connect and every few seconds.
  Future<RedisServer> locate();

  /// Fails if the connection, on which nothing was said yet, does not lead where it should.
  Future<Void> check(RedisConnection connection);
}
