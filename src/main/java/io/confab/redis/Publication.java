package io.confab.redis;

import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;

/// A message for a channel.
record Publication(String channel, byte[] payload) {
  /// @param command PUBLISH or SPUBLISH
  Request request(Command command) {
    return Request.cmd(command).arg(channel).arg(Buffer.buffer(payload));
  }
}
