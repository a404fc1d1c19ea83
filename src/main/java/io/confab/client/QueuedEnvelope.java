package io.confab.client;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// What stands under a number in the queue of this device. Numbers are of an epoch.
public sealed interface QueuedEnvelope {
  QueueSeq queueSeq();

  Epoch epoch();

  /// It has lost what it held.
  record Gone(QueueSeq queueSeq, Epoch epoch) implements QueuedEnvelope {}

  /// @param roomId absent: it is of no room
  /// @param seq of the message; absent: it is silent
  /// @param ts milliseconds since 1970 by PostgreSQL's clock
  /// @param body for this device alone
  /// @param payload for all devices
  /// @param expiresAt in milliseconds since 1970; absent: nobody said so
  record Content(
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
      implements QueuedEnvelope {}
}
