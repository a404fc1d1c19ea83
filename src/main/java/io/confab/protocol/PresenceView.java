package io.confab.protocol;

import org.jspecify.annotations.Nullable;

/// What one account is shown of the presence of another.
///
/// @param lastSeen when it was there last, in milliseconds since 1970, where it is offline and that
///     may be known
/// @param text what it says of itself
public record PresenceView(
    AccountId accountId, PresenceStatus status, @Nullable Long lastSeen, @Nullable String text) {
  /// What is shown of one who hides, and of one who was never there.
  public static PresenceView hidden(AccountId account) {
    return new PresenceView(account, PresenceStatus.OFFLINE, null, null);
  }
}
