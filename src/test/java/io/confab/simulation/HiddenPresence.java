package io.confab.simulation;

import io.confab.protocol.AccountId;
import java.util.Set;

/// From whom accounts hide whether they are there, and with that what they received.
final class HiddenPresence {
  private static final AccountId SHY = new AccountId(3);
  private static final AccountId CAREFUL = new AccountId(1);
  private static final AccountId AVOIDED = new AccountId(2);

  private HiddenPresence() {}

  static boolean fromAll(AccountId account) {
    return account.equals(SHY);
  }

  static Set<AccountId> from(AccountId account) {
    return account.equals(CAREFUL) ? Set.of(AVOIDED) : Set.of();
  }

  static boolean from(AccountId hiding, AccountId other) {
    return fromAll(hiding) || from(hiding).contains(other);
  }
}
