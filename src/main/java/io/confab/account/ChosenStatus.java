package io.confab.account;

import io.confab.protocol.PresenceStatus;
import org.jspecify.annotations.Nullable;

/// What an account wanted all its sessions to be, the last time it said so to all of them.
///
/// @param number rises with each such word; 0: there was none
/// @param status null: none was chosen
public record ChosenStatus(long number, @Nullable PresenceStatus status) {
  public static final ChosenStatus NONE = new ChosenStatus(0, null);
}
