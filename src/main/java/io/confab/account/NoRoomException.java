package io.confab.account;

import io.confab.protocol.AccountId;

/// A sign-in did not begin: the account has as many devices as it may, and none of them could go.
final class NoRoomException extends RuntimeException {
  private final AccountId account;

  NoRoomException(AccountId account) {
    super("no room for another device", null, false, false);
    this.account = account;
  }

  AccountId account() {
    return account;
  }
}
