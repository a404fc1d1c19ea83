package io.confab.client.sealed;

import io.confab.protocol.AccountId;

/// The master key that is pinned of an account.
record Pinned(AccountId account, String master, boolean verified) {}
