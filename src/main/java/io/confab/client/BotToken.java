package io.confab.client;

import io.confab.protocol.AccountId;
import io.confab.protocol.Secret;

/// A bot, and a token of it that does not expire and is shown once.
public record BotToken(AccountId accountId, Secret token) {}
