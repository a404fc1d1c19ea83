package io.confab.client;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;

/// How far a room, or somebody's view of it, has come: everything up to `rev` is known, and with
/// it every message up to `seq`.
public record RoomPosition(RoomId roomId, Epoch epoch, Seq seq, Rev rev) {}
