package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Something that a person wrote in a sealed room.
///
/// @param ts when the server stored it; its word alone, as is `seq`
/// @param expiresInS its lifetime in seconds, which begins when the person sees it; null: none
/// @param expiresAt when it is over, in milliseconds since 1970; null: nothing has begun
/// @param held why it is kept and not shown; null: it is shown
public record SealedLine(
    RoomId roomId,
    Seq seq,
    AccountId senderId,
    DeviceId senderDeviceId,
    ClientId clientId,
    long ts,
    String text,
    @Nullable Integer expiresInS,
    @Nullable Long expiresAt,
    @Nullable Doubt held) {

  /// Its lifetime begins, where it has one.
  SealedLine begun(Instant now) {
    return new SealedLine(
        roomId,
        seq,
        senderId,
        senderDeviceId,
        clientId,
        ts,
        text,
        expiresInS,
        expiresInS == null ? null : now.plusSeconds(expiresInS).toEpochMilli(),
        held);
  }

  SealedLine shown() {
    return new SealedLine(
        roomId, seq, senderId, senderDeviceId, clientId, ts, text, expiresInS, expiresAt, null);
  }
}
