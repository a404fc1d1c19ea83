package io.confab.redis;

import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;

/// A message for a channel.
///
/// @param lost is run when it may not have reached Redis
record Publication(String channel, byte[] payload, Runnable lost) {
  /// @param command PUBLISH or SPUBLISH
  Request request(Command command) {
    return Request.cmd(command).arg(channel).arg(Buffer.buffer(payload));
  }
}
