package io.confab.client.sealed;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import javax.crypto.KeyAgreement;

/// One side of CPace over X25519 with SHA-512, by which two who have the same short code agree on a
/// key. Whoever stands between them can try one code and no more, and learns nothing from what both
/// sent that could be tried elsewhere
/// (https://datatracker.ietf.org/doc/html/draft-irtf-cfrg-cpace).
final class Cpace {
  static final int LENGTH = 32;

  private static final String X25519 = "X25519";
  private static final byte[] NAME = "CPace255".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] KEY_NAME = "CPace255_ISK".getBytes(StandardCharsets.US_ASCII);
  private static final int HASH_BLOCK = 128;
  private static final BigInteger PRIME = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
  private static final BigInteger A = BigInteger.valueOf(486_662);

  private final byte[] session;
  private final byte[] secret;
  private final byte[] share;

  /// @param code what both have
  /// @param parties who they are, in one order
  /// @param session one that was never before
  /// @param secret random bytes of this side, as many as [#LENGTH]
  Cpace(byte[] code, byte[] parties, byte[] session, byte[] secret) {
    this.session = session.clone();
    this.secret = secret.clone();
    this.share = multiply(secret, generator(code, parties, session));
  }

  /// What the other side is to be sent.
  byte[] share() {
    return share.clone();
  }

  /// The key, once the other side sent its share; another one for each code. Doubt: BAD_KEY.
  ///
  /// @param starts whether this side sent its share first
  byte[] key(byte[] other, boolean starts) {
    byte[] first = starts ? share : other;
    byte[] second = starts ? other : share;
    byte[] none = new byte[0];
    return sha512(
        joined(KEY_NAME, session, multiply(secret, other)), joined(first, none, second, none));
  }

  /// What a code is mapped to: a point of which nobody knows how it comes from another one.
  static byte[] generator(byte[] code, byte[] parties, byte[] session) {
    int filled = joined(NAME).length + joined(code).length;
    byte[] zeros = new byte[Math.max(0, HASH_BLOCK - 1 - filled)];
    byte[] hash = Arrays.copyOf(sha512(joined(NAME, code, zeros, parties, session)), LENGTH);
    hash[LENGTH - 1] &= 0x7f;
    return encoded(elligator(decoded(hash)));
  }

  /// Multiplies a point. Doubt: BAD_KEY where it is none, or of small order.
  static byte[] multiply(byte[] scalar, byte[] point) {
    BigInteger u = decoded(point);
    if (point.length != LENGTH || u.compareTo(PRIME) >= 0) {
      throw new Untrusted(Doubt.BAD_KEY);
    }
    try {
      KeyFactory keys = KeyFactory.getInstance(X25519);
      KeyAgreement agreement = KeyAgreement.getInstance(X25519);
      agreement.init(
          keys.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, scalar)));
      agreement.doPhase(
          keys.generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u)), true);
      return agreement.generateSecret();
    } catch (InvalidKeyException _) {
      throw new Untrusted(Doubt.BAD_KEY);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Elligator 2 (https://www.rfc-editor.org/rfc/rfc9380#name-elligator-2-method).
  private static BigInteger elligator(BigInteger r) {
    BigInteger square = r.multiply(r).mod(PRIME);
    BigInteger below = BigInteger.ONE.add(square.shiftLeft(1)).modInverse(PRIME);
    BigInteger v = A.negate().multiply(below).mod(PRIME);
    BigInteger curve = v.multiply(v).add(A.multiply(v)).add(BigInteger.ONE).multiply(v).mod(PRIME);
    boolean isSquare =
        curve.modPow(PRIME.subtract(BigInteger.ONE).shiftRight(1), PRIME).equals(BigInteger.ONE);
    return isSquare ? v : v.negate().subtract(A).mod(PRIME);
  }

  /// Each with its length before it, as LEB128.
  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      int rest = part.length;
      while (rest >= 0x80) {
        all.write((rest & 0x7f) | 0x80);
        rest >>>= 7;
      }
      all.write(rest);
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] sha512(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-512");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static BigInteger decoded(byte[] littleEndian) {
    return new BigInteger(1, reversed(littleEndian));
  }

  private static byte[] encoded(BigInteger u) {
    byte[] littleEndian = new byte[LENGTH];
    BigInteger rest = u;
    for (int i = 0; i < LENGTH; i++) {
      littleEndian[i] = rest.byteValue();
      rest = rest.shiftRight(Byte.SIZE);
    }
    return littleEndian;
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }
}
