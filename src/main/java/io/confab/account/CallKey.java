package io.confab.account;

import io.confab.config.Sha256;
import io.confab.protocol.AccountId;
import org.jspecify.annotations.Nullable;

/// Names a call that its caller may repeat: by what it calls and the key that it chose.
///
/// @param caller null for the server API key
/// @param hash of call and key, in hexadecimal
public record CallKey(@Nullable AccountId caller, String hash) {
  private static final int HASH_BYTES = 32;

  /// @param call such as `POST /v1/rooms`
  public static CallKey of(@Nullable AccountId caller, String call, String key) {
    return new CallKey(caller, Sha256.hex(call + ' ' + key, HASH_BYTES));
  }

  long owner() {
    return caller == null ? 0 : caller.value();
  }
}
