package io.confab.presence;

import io.confab.protocol.AccountId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.WireName;

/// What a node says of an account that has, or had, sessions on it.
public record PresenceWord(AccountId account, Kind kind, PresenceStatus status) {
  /// How it is meant.
  public enum Kind implements WireName {
    /// As before.
    BEAT,
    CHANGE,
    /// It ends in a moment unless another node says that the account is there.
    LAPSE
  }
}
