package io.confab.client.sealed;

import io.confab.protocol.ClientId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A send as it goes to the server, and goes again with the same bytes until it is settled.
///
/// @param devices the digest of the devices of the room
/// @param text what the person wrote
/// @param expiresInS its lifetime in seconds; null: none
public record Outgoing(
    RoomId roomId,
    ClientId clientId,
    String devices,
    Opaque payload,
    List<LetterTo> envelopes,
    String text,
    @Nullable Integer expiresInS) {

  /// The line that it is once it is stored; its writer has seen it.
  SealedLine line(DeviceIdentity me, Seq seq, long ts) {
    return new SealedLine(
            roomId, seq, me.account(), me.device(), clientId, ts, text, expiresInS, null, null)
        .begun(Instant.ofEpochMilli(ts));
  }
}
