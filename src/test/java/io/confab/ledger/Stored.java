package io.confab.ledger;

/// A message as a final read finds it.
///
/// @param bodyHash of its present body; empty when it is deleted
public record Stored(
    String room, long epoch, long seq, long rev, String sender, String clientId, String bodyHash) {}
