package io.confab.client.sealed;

import io.confab.protocol.RoomId;
import java.util.List;

/// The key of a room for those who do not have it yet, to be sent without a room and so without a
/// lifetime.
///
/// @param keyId which of the keys of the room
public record KeyLetters(RoomId roomId, String keyId, List<LetterTo> letters) {}
