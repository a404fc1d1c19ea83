package io.confab.bus;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/// Encrypts and authenticates what crosses from one process to another, with AES-256-GCM (NIST SP
/// 800-38D), and takes each message once.
///
/// A sealed message is the random salt of the sending process and the number of the message, and
/// then its time and content under the key of that salt, with the number as nonce. For any
/// thread.
final class BusSeal {
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int SALT = 16;
  private static final int HEAD = SALT + Long.BYTES;
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;
  private static final int MOST_SENDERS = 1_024;

  /// A message takes no longer, and clocks of nodes agree better than that.
  private static final Duration OLDEST = Duration.ofSeconds(60);

  private final BusKey key;
  private final InstantSource clock;
  private final byte[] salt = new byte[SALT];
  private final SecretKey own;
  private final AtomicLong number = new AtomicLong();

  /// By salt; those that were heard of last.
  private final SequencedMap<ByteBuffer, Sender> senders = new LinkedHashMap<>();

  private record Sender(SecretKey key, ReplayWindow window) {}

  BusSeal(BusKey key, InstantSource clock) {
    this.key = key;
    this.clock = clock;
    new SecureRandom().nextBytes(salt);
    own = key.sealing(salt);
  }

  byte[] seal(byte[] content) {
    long mine = number.getAndIncrement();
    byte[] head = ByteBuffer.allocate(HEAD).put(salt).putLong(mine).array();
    byte[] sealed = new byte[HEAD + Long.BYTES + content.length + TAG_BITS / Byte.SIZE];
    System.arraycopy(head, 0, sealed, 0, HEAD);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, own, head);
      byte[] time = ByteBuffer.allocate(Long.BYTES).putLong(clock.millis()).array();
      int at = HEAD + cipher.update(time, 0, time.length, sealed, HEAD);
      cipher.doFinal(content, 0, content.length, sealed, at);
      return sealed;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The content of a message that a node of this installation has sealed, at its first arrival.
  ///
  /// @throws ForgedMessageException for all others
  byte[] open(byte[] sealed) {
    if (sealed.length < HEAD) {
      throw new ForgedMessageException("it is too short");
    }
    byte[] head = Arrays.copyOf(sealed, HEAD);
    byte[] sender = Arrays.copyOf(sealed, SALT);
    SecretKey theirs = keyOf(sender);
    byte[] plain;
    try {
      plain = cipher(Cipher.DECRYPT_MODE, theirs, head).doFinal(sealed, HEAD, sealed.length - HEAD);
    } catch (GeneralSecurityException e) {
      throw new ForgedMessageException("it is not of this installation", e);
    }
    Duration age = Duration.ofMillis(clock.millis() - ByteBuffer.wrap(plain).getLong());
    if (age.abs().compareTo(OLDEST) > 0) {
      throw new ForgedMessageException("it is of another time: " + age);
    }
    if (!take(sender, theirs, ByteBuffer.wrap(head).getLong(SALT))) {
      throw new ForgedMessageException("it has come before");
    }
    return Arrays.copyOfRange(plain, Long.BYTES, plain.length);
  }

  private static Cipher cipher(int mode, SecretKey key, byte[] head)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    byte[] nonce = ByteBuffer.allocate(NONCE).put(head, SALT, Long.BYTES).array();
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(head);
    return cipher;
  }

  private synchronized SecretKey keyOf(byte[] salt) {
    Sender known = senders.get(ByteBuffer.wrap(salt));
    return known == null ? key.sealing(salt) : known.key();
  }

  private synchronized boolean take(byte[] from, SecretKey theirs, long number) {
    ByteBuffer salt = ByteBuffer.wrap(from);
    Sender known = senders.remove(salt);
    Sender sender = known == null ? new Sender(theirs, new ReplayWindow()) : known;
    senders.putLast(salt, sender);
    if (senders.size() > MOST_SENDERS) {
      senders.pollFirstEntry();
    }
    return sender.window().take(number);
  }
}
