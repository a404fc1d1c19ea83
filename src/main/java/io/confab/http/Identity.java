package io.confab.http;

import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;

/// Who calls, and for whom.
sealed interface Identity {
  /// A device that is signed in.
  record OnDevice(Caller caller) implements Identity {}

  /// The server API key, in the name of an account.
  record ActingFor(AccountId account) implements Identity {}

  /// The server API key in its own name.
  record Backend() implements Identity {}
}
