package io.confab.message;

import io.confab.bus.BusMessage;
import io.confab.protocol.ClientId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;

/// A message is durably stored: what the acknowledgement says.
///
/// @param ts milliseconds since 1970 by PostgreSQL's clock
/// @param duplicate whether an earlier try had stored it
public record Sent(RoomId roomId, ClientId clientId, Seq seq, Rev rev, long ts, boolean duplicate)
    implements BusMessage {}
