package io.confab.client.sealed;

import de.connect2x.trixnity.vodozemac.Curve25519PublicKey;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Base64;
import javax.crypto.KeyAgreement;

/// The door for Curve25519 keys of others: each goes through it before vodozemac gets to see it.
///
/// With a key of small order, such as zero, everything that is agreed is known to everybody, and
/// the linked version of vodozemac makes a session with it (fixed in 0.10). The JDK refuses such
/// keys as RFC 7748 §6.1 asks, so each is agreed with once. Which private key that takes does not
/// matter: all are multiples of eight, and a point is of small order for all of them.
final class ForeignKeys {
  private static final String X25519 = "X25519";
  private static final int LENGTH = 32;
  private static final BigInteger PRIME = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
  private static final PrivateKey THROWAWAY = throwaway();

  private ForeignKeys() {}

  /// The key that stands in unpadded Base64.
  static Curve25519PublicKey curve25519(String base64) {
    byte[] bytes = decoded(base64);
    check(bytes);
    return Curve25519PublicKey.Companion.invoke(bytes);
  }

  /// Looks at a key that vodozemac read out of a message.
  static void check(Curve25519PublicKey key) {
    check(key.getBytes());
  }

  private static void check(byte[] littleEndian) {
    try {
      KeyAgreement agreement = KeyAgreement.getInstance(X25519);
      agreement.init(THROWAWAY);
      agreement.doPhase(publicKey(littleEndian), true);
    } catch (InvalidKeyException e) {
      throw new Untrusted(Doubt.BAD_KEY);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static PublicKey publicKey(byte[] littleEndian) throws GeneralSecurityException {
    BigInteger u = new BigInteger(1, reversed(littleEndian));
    // Nobody's key is written like this, and what is written in two ways would be pinned as two.
    if (littleEndian.length != LENGTH || u.compareTo(PRIME) >= 0) {
      throw new Untrusted(Doubt.BAD_KEY);
    }
    return KeyFactory.getInstance(X25519)
        .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u));
  }

  private static byte[] decoded(String base64) {
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      if (Base64.getEncoder().withoutPadding().encodeToString(bytes).equals(base64)) {
        return bytes;
      }
    } catch (IllegalArgumentException _) {
      // Told below, as the other way to be wrong.
    }
    throw new Untrusted(Doubt.BAD_KEY);
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }

  private static PrivateKey throwaway() {
    try {
      return KeyPairGenerator.getInstance(X25519).generateKeyPair().getPrivate();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
