package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// What was said in a room; its identity is (room, seq).
///
/// @param ts when it was stored, in milliseconds since 1970 by PostgreSQL's clock
public record Message(
    RoomId roomId,
    Seq seq,
    Rev rev,
    AccountId senderId,
    ClientId clientId,
    @JsonProperty("msg_type") MessageType type,
    String body,
    @Nullable Seq replyTo,
    @Nullable String topic,
    long ts) {}
