package io.confab.feed;

import io.confab.protocol.AccountId;

/// What the node's hub tells of the accounts that somebody watches. May be called from any thread.
public interface AccountListener {
  void signal(AccountSignal signal);

  /// From now on no signal of the account passes unheard, until the next time this is called.
  void listening(AccountId account);
}
