package io.confab.client;

import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// A message to be sent, with the id by which its tries are known as one.
record Outgoing(
    RoomId roomId, ClientId clientId, String body, @Nullable Seq replyTo, @Nullable String topic) {}
