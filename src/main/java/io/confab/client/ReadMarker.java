package io.confab.client;

import io.confab.protocol.AccountId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// How far an account has read in a room.
///
/// @param deliveredSeq absent in lists of readers
/// @param unreadFrom from where the account itself wants to see messages as unread
public record ReadMarker(
    AccountId accountId, Seq readSeq, @Nullable Seq deliveredSeq, @Nullable Seq unreadFrom) {}
