package io.confab.redis;

/// The address of one Redis server, or of one sentinel.
record RedisServer(String host, int port) {
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
