package io.confab.bus;

import java.nio.charset.StandardCharsets;
import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// What the nodes of one installation share and nobody else knows. All that the bus keeps from
/// others is derived from it by HKDF (RFC 5869).
public final class BusKey {
  private static final int BYTES = 32;
  private static final int NAME_BYTES = 16;

  private final byte[] secret;

  /// @param secret of at least 32 random bytes
  public BusKey(byte[] secret) {
    this.secret = secret.clone();
  }

  /// For a node that speaks with no other.
  static BusKey ofThisProcess() {
    byte[] secret = new byte[BYTES];
    new SecureRandom().nextBytes(secret);
    return new BusKey(secret);
  }

  /// A name that nodes of other installations do not have.
  String clusterName() {
    return HexFormat.of().formatHex(derive("cluster name", new byte[0], NAME_BYTES));
  }

  /// With it members show each other that they belong to the installation.
  SecretKey membership() {
    return new SecretKeySpec(derive("membership of the cluster", new byte[0], BYTES), "HMAC");
  }

  /// Seals what one process sends.
  ///
  /// @param salt random, of that process
  SecretKey sealing(byte[] salt) {
    return new SecretKeySpec(derive("messages of the bus", salt, BYTES), "AES");
  }

  private byte[] derive(String purpose, byte[] salt, int bytes) {
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(
              HKDFParameterSpec.ofExtract()
                  .addIKM(secret)
                  .addSalt(salt)
                  .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), bytes));
    } catch (NoSuchAlgorithmException | InvalidAlgorithmParameterException e) {
      throw new IllegalStateException(e);
    }
  }
}
