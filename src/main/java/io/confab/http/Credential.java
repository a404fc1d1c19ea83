package io.confab.http;

import io.confab.protocol.AccountId;
import io.confab.protocol.Secret;

/// The credential of a call.
sealed interface Credential {
  /// An access token, ours or that of an outside issuer; not verified yet.
  record Token(Secret secret) implements Credential {}

  /// The server API key, in the name of an account.
  record ActingFor(AccountId account) implements Credential {}

  /// The server API key in its own name.
  record Backend() implements Credential {}
}
