package io.confab.protocol;

import org.jspecify.annotations.Nullable;

/// What is the same in the envelopes of a send for all devices.
///
/// @param roomId null: without a room
/// @param seq of the message; null: silent
/// @param ts milliseconds since 1970 by PostgreSQL's clock
/// @param payload which only clients understand
/// @param expiresAt in milliseconds since 1970; null: it lasts as long as anything
public record Envelope(
    @Nullable RoomId roomId,
    @Nullable Seq seq,
    AccountId senderId,
    DeviceId senderDeviceId,
    ClientId clientId,
    long ts,
    @Nullable String payload,
    @Nullable Long expiresAt) {
  /// Nothing of what only clients understand.
  @Override
  public String toString() {
    return "Envelope[" + roomId + ", " + seq + ", " + senderId + ", " + clientId + "]";
  }
}
