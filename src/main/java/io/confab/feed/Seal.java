package io.confab.feed;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// HMAC-SHA-256 of a publication and the channel it is for, cut to 16 bytes (RFC 2104, §5).
final class Seal {
  /// Whom a channel is about.
  enum Subject {
    ROOM((byte) 'r'),
    ACCOUNT((byte) 'a'),
    NODES((byte) 'n');

    private final byte mark;

    Subject(byte mark) {
      this.mark = mark;
    }
  }

  static final int LENGTH = 16;
  private static final String ALGORITHM = "HmacSHA256";

  private final Mac keyed;

  Seal(byte[] key) {
    try {
      keyed = Mac.getInstance(ALGORITHM);
      keyed.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The seal of what `publication` holds from `start` on.
  byte[] of(Subject subject, long id, byte version, byte[] publication, int start) {
    Mac mac = copy();
    mac.update(ByteBuffer.allocate(10).put(version).put(subject.mark).putLong(id).flip());
    mac.update(publication, start, publication.length - start);
    return Arrays.copyOf(mac.doFinal(), LENGTH);
  }

  /// Compares in constant time.
  boolean matches(byte[] claimed, byte[] expected) {
    return MessageDigest.isEqual(claimed, expected);
  }

  /// A `Mac` serves one thread at a time; a copy of one that has its key costs less than a new
  /// one.
  private Mac copy() {
    try {
      return (Mac) keyed.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }
}
