package io.confab.client;

import io.confab.protocol.ClientId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;

/// A send that the server has stored.
///
/// @param duplicate whether an earlier try had stored it
/// @param ts when, in milliseconds since 1970 by PostgreSQL's clock
public record SentMessage(
    RoomId roomId, ClientId clientId, Seq seq, Rev rev, long ts, boolean duplicate) {}
