package io.confab.redis;

import io.vertx.redis.client.Command;

/// The two kinds of pub/sub: for all servers, and for the shard of a cluster in whose slots the
/// channel lies.
enum Dialect {
  PLAIN("", Command.SUBSCRIBE, Command.UNSUBSCRIBE) {
    @Override
    int slot(String channel) {
      return 0;
    }
  },
  SHARDED("s", Command.SSUBSCRIBE, Command.SUNSUBSCRIBE) {
    @Override
    int slot(String channel) {
      return KeySlot.of(channel);
    }
  };

  private final String prefix;
  private final Command subscribe;
  private final Command unsubscribe;

  Dialect(String prefix, Command subscribe, Command unsubscribe) {
    this.prefix = prefix;
    this.subscribe = subscribe;
    this.unsubscribe = unsubscribe;
  }

  /// Channels of one slot may be named in one command.
  abstract int slot(String channel);

  Command command(boolean subscribes) {
    return subscribes ? subscribe : unsubscribe;
  }

  /// The kind of a push by its name: message, subscribe, unsubscribe.
  String kind(String push) {
    return push.startsWith(prefix) ? push.substring(prefix.length()) : push;
  }
}
