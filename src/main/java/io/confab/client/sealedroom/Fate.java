package io.confab.client.sealedroom;

import io.confab.protocol.AccountId;
import java.util.Map;
import java.util.Set;

/// What became of a line of one's own, as far as the server tells.
///
/// @param delivered whose devices have it; once here, never under `failed`
/// @param failed who cannot get it any more, and why: `full`, `expired`, `removed` or
///     `undecryptable`; others may come
/// @param read who has read it, all of them under `delivered`
public record Fate(Set<AccountId> delivered, Map<AccountId, String> failed, Set<AccountId> read) {}
