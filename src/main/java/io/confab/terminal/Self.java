package io.confab.terminal;

import io.confab.client.ConfabApi;
import io.confab.protocol.AccountId;

/// Who chats: an account that is signed in, and what it has for sealed rooms.
public record Self(ConfabApi api, AccountId accountId, SealedStart sealed) {}
