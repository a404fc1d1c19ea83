package io.confab.client.sealed;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;

/// What a person keeps on paper to open the vault of their account: 144 random bits and 16 that
/// tell a slip of the pen. Its text form hides it.
public final class RecoveryKey {
  private static final int SECRET = 18;
  private static final int CHECK = 2;
  private static final int GROUP = 4;

  private final byte[] secret;

  private RecoveryKey(byte[] secret) {
    this.secret = secret;
  }

  static RecoveryKey make(SecureRandom random) {
    byte[] secret = new byte[SECRET];
    random.nextBytes(secret);
    return new RecoveryKey(secret);
  }

  /// Reads what a person typed, with or without what parts the groups; empty: it has a slip.
  public static Optional<RecoveryKey> read(String typed) {
    return Letters32.read(typed, SECRET + CHECK)
        .filter(bytes -> Arrays.equals(bytes, withCheck(Arrays.copyOf(bytes, SECRET))))
        .map(bytes -> new RecoveryKey(Arrays.copyOf(bytes, SECRET)));
  }

  /// For paper: eight groups of four letters and digits.
  public String text() {
    return Letters32.grouped(Letters32.of(withCheck(secret)), GROUP);
  }

  byte[] secret() {
    return secret.clone();
  }

  /// With CRC-16/CCITT-FALSE (https://reveng.sourceforge.io/crc-catalogue/16.htm), which tells each
  /// wrong letter and each two neighbours that changed places.
  private static byte[] withCheck(byte[] secret) {
    int crc = 0xffff;
    for (byte one : secret) {
      crc ^= Byte.toUnsignedInt(one) << Byte.SIZE;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
      }
    }
    return ByteBuffer.allocate(SECRET + CHECK).put(secret).putShort((short) crc).array();
  }

  @Override
  public String toString() {
    return "***";
  }
}
