package io.confab.redis;

import io.vertx.redis.client.Command;

/// The two kinds of pub/sub: for all servers, and for the shard of a cluster in whose slots the
/// channel lies.
enum Dialect {
  PLAIN,
  SHARDED;

  /// Channels of one slot may be named in one command.
  int slot(String channel) {
    return switch (this) {
      case PLAIN -> 0;
      case SHARDED -> KeySlot.of(channel);
    };
  }

  Command command(boolean subscribe) {
    return switch (this) {
      case PLAIN -> subscribe ? Command.SUBSCRIBE : Command.UNSUBSCRIBE;
      case SHARDED -> subscribe ? Command.SSUBSCRIBE : Command.SUNSUBSCRIBE;
    };
  }

  /// The kind of a push by its name: message, subscribe, unsubscribe.
  String kind(String push) {
    return switch (this) {
      case PLAIN -> push;
      case SHARDED -> push.substring(1);
    };
  }
}
