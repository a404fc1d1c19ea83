package io.confab.presence;

import io.confab.protocol.AccountId;
import io.confab.protocol.PresenceStatus;

/// An account that is, to others, another thing now.
///
/// @param at when it was seen last, in milliseconds since 1970 by the clock of Redis
/// @param version rises with each transition of the account
record Transition(AccountId account, PresenceStatus status, long at, long version) {}
