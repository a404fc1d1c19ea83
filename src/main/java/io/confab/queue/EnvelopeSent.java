package io.confab.queue;

import io.confab.bus.BusMessage;
import io.confab.protocol.ClientId;
import io.confab.protocol.FullDevice;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A send of a sealed room is durably stored: what the acknowledgement says.
///
/// @param roomId null: it has none
/// @param seq null: it is silent
/// @param ts milliseconds since 1970 by PostgreSQL's clock
/// @param duplicate whether an earlier try had stored it
/// @param full devices whose queues took nothing; null: all did, or it is a duplicate, of
///     which that is not known
public record EnvelopeSent(
    @Nullable RoomId roomId,
    ClientId clientId,
    @Nullable Seq seq,
    long ts,
    boolean duplicate,
    @Nullable List<FullDevice> full)
    implements BusMessage {}
