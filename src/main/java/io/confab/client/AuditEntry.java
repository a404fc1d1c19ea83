package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.AccountId;
import org.jspecify.annotations.Nullable;

/// What an owner or admin of a room did.
///
/// @param action such as `member.banned`; others may come
/// @param accountId to whom
/// @param ts milliseconds since 1970
/// @param data what is of the action, such as `reason`
public record AuditEntry(
    String entryId,
    String action,
    AccountId actorId,
    @Nullable AccountId accountId,
    long ts,
    @Nullable JsonNode data) {}
