package io.confab.ledger;

/// A time during which an account was in a room.
///
/// @param from the rev of its joining
/// @param to that of its leaving; 0 while it lasts
public record Membership(String account, String room, long from, long to) {}
