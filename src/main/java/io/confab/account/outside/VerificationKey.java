package io.confab.account.outside;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import io.confab.config.TokenAlgorithm;
import org.jspecify.annotations.Nullable;

/// A key that verifies by one algorithm and no other, whatever a token asks for: so a public key
/// is never the secret of an HMAC.
///
/// @param keyId null: the key has no name, and may be any that a token names
record VerificationKey(TokenAlgorithm algorithm, @Nullable String keyId, JWSVerifier verifier) {

  /// Whether a token may mean this key.
  ///
  /// @param named what the token names, if it names one
  boolean fits(TokenAlgorithm asked, @Nullable String named) {
    return algorithm == asked && (keyId == null || named == null || keyId.equals(named));
  }

  /// Whether this key signed the token.
  boolean verifies(JWSObject token) {
    try {
      return verifier.verify(token.getHeader(), token.getSigningInput(), token.getSignature());
    } catch (JOSEException _) {
      return false;
    }
  }

  @Override
  public String toString() {
    return algorithm + " key " + keyId;
  }
}
