package io.confab.message;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.MessageType;
import io.confab.protocol.RoomId;
import io.confab.protocol.SendFields;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// A message on its way to being stored.
public record Draft(
    RoomId roomId,
    AccountId senderId,
    ClientId clientId,
    MessageType type,
    String body,
    @Nullable Seq replyTo,
    @Nullable String topic) {

  /// What is said.
  SendFields content() {
    return new SendFields(clientId, type, body, replyTo, topic);
  }
}
