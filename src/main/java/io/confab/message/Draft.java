package io.confab.message;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.MessageType;
import io.confab.protocol.RoomId;
import io.confab.protocol.SendFields;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// A message on its way to being stored.
///
/// @param seated whether the sender is inside, which a room with a capacity asks for
public record Draft(
    RoomId roomId,
    AccountId senderId,
    ClientId clientId,
    MessageType type,
    String body,
    @Nullable Seq replyTo,
    @Nullable String topic,
    boolean seated) {

  /// Of one who is not known to be inside.
  public Draft(
      RoomId roomId,
      AccountId senderId,
      ClientId clientId,
      MessageType type,
      String body,
      @Nullable Seq replyTo,
      @Nullable String topic) {
    this(roomId, senderId, clientId, type, body, replyTo, topic, false);
  }

  Draft seated(boolean inside) {
    return new Draft(roomId, senderId, clientId, type, body, replyTo, topic, inside);
  }

  /// What is said.
  SendFields content() {
    return new SendFields(clientId, type, body, replyTo, topic);
  }
}
