package io.confab.account.outside;

import io.confab.config.TokenAlgorithm;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/// A key that verifies by one algorithm and no other, whatever a token asks for: so a public key
/// is never the secret of an HMAC.
///
/// @param keyId null: the key has no name, and may be any that a token names
record VerificationKey(TokenAlgorithm algorithm, @Nullable String keyId, Key key) {
  private static final String MAC = "HmacSHA256";

  /// Whether a token may mean this key.
  ///
  /// @param named what the token names, if it names one
  boolean fits(TokenAlgorithm asked, @Nullable String named) {
    return algorithm == asked && (keyId == null || named == null || keyId.equals(named));
  }

  /// Whether this key made the signature.
  boolean verifies(byte[] input, byte[] signature) {
    try {
      return switch (algorithm) {
        case HS256 -> MessageDigest.isEqual(mac(input), signature);
        case RS256 -> verifies("SHA256withRSA", input, signature);
        case ES256 -> verifies("SHA256withECDSAinP1363Format", input, signature);
        case EDDSA -> verifies("Ed25519", input, signature);
      };
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key that is none: " + algorithm, e);
    }
  }

  private byte[] mac(byte[] input) throws GeneralSecurityException {
    Mac mac = Mac.getInstance(MAC);
    mac.init(key);
    return mac.doFinal(input);
  }

  private boolean verifies(String name, byte[] input, byte[] signature)
      throws GeneralSecurityException {
    Signature verifier = Signature.getInstance(name);
    verifier.initVerify((PublicKey) key);
    verifier.update(input);
    try {
      return verifier.verify(signature);
    } catch (SignatureException _) {
      return false; // not even the form of one
    }
  }

  @Override
  public String toString() {
    return algorithm + " key " + keyId;
  }
}
