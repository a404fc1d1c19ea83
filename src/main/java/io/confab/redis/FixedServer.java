package io.confab.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.RedisConnection;

/// A server that stays where it is.
record FixedServer(RedisServer server) implements ServerLocator {
  @Override
  public Future<RedisServer> locate() {
    return Future.succeededFuture(server);
  }

  @Override
  public Future<Void> check(RedisConnection connection) {
    return Future.succeededFuture();
  }
}
