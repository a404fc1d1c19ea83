package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// The next of the queue, as the server gives it: all of it is the server's word, but what body and
/// payload hold.
public sealed interface Received {
  QueueSeq queueSeq();

  Epoch epoch();

  /// A number whose content is over.
  record Gone(QueueSeq queueSeq, Epoch epoch) implements Received {}

  /// @param roomId null: a silent one without a room
  /// @param seq null: a silent one
  /// @param body for this device alone
  /// @param payload for all devices
  record Envelope(
      QueueSeq queueSeq,
      Epoch epoch,
      @Nullable RoomId roomId,
      @Nullable Seq seq,
      AccountId senderId,
      DeviceId senderDeviceId,
      ClientId clientId,
      long ts,
      @Nullable Opaque body,
      @Nullable Opaque payload,
      @Nullable Long expiresAt)
      implements Received {}
}
