package io.confab.client;

import io.confab.protocol.AccountId;

/// A person or a bot.
public record Account(AccountId accountId, String handle, String displayName) {}
