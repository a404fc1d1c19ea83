package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RoomId;
import org.jspecify.annotations.Nullable;

/// Something that a device said to this one and no person wrote, such as a step of a verification.
///
/// @param roomId null: it belongs to none
/// @param ts when the server took it, as it says
/// @param doubt why its sender is not believed; null: it is
public record Note(
    QueueSeq queueSeq,
    @Nullable RoomId roomId,
    AccountId senderId,
    DeviceId senderDeviceId,
    String type,
    ObjectNode content,
    long ts,
    @Nullable Doubt doubt) {}
