package io.confab.client.sealed;

import io.confab.protocol.ClientId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
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
    @Nullable Integer expiresInS) {}
