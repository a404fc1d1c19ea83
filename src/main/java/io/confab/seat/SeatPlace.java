package io.confab.seat;

import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/// Places in lines as clients carry them: the ticket, the rev with which the room's capacity began,
/// until when it is kept for one who says no more, and over these, the room and the account an
/// HMAC-SHA-256, cut to 16 bytes (RFC 2104, §5). For any thread.
final class SeatPlace {
  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] PURPOSE = {'s', 'e', 'a', 't', ' ', 'p', 'l', 'a', 'c', 'e'};
  private static final int SEAL = 16;
  private static final int CONTENT = 3 * Long.BYTES;

  private final Mac keyed;
  private final InstantSource clock;

  /// @param secret that all nodes share
  SeatPlace(byte[] secret, InstantSource clock) {
    this.clock = clock;
    try {
      SecretKey key =
          KDF.getInstance("HKDF-SHA256")
              .deriveKey(
                  ALGORITHM, HKDFParameterSpec.ofExtract().addIKM(secret).thenExpand(PURPOSE, 32));
      keyed = Mac.getInstance(ALGORITHM);
      keyed.init(key);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What a place says.
  ///
  /// @param began the rev with which the capacity did under which it was had
  /// @param over for how long it has been kept no more, for one who said nothing; else negative
  record Opened(long ticket, long began, Duration over) {
    /// The same so much later.
    Opened after(Duration waited) {
      return new Opened(ticket, began, over.plus(waited));
    }
  }

  /// @param kept for how long it is kept from now on, whatever becomes of who has it
  String write(RoomId room, AccountId account, long ticket, long began, Duration kept) {
    long until = clock.millis() + kept.toMillis();
    byte[] content =
        ByteBuffer.allocate(CONTENT).putLong(ticket).putLong(began).putLong(until).array();
    byte[] whole = Arrays.copyOf(content, CONTENT + SEAL);
    System.arraycopy(seal(room, account, content), 0, whole, CONTENT, SEAL);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
  }

  /// Refused with `invalid_field` if it is not the account's in that room.
  Opened read(RoomId room, AccountId account, String place) {
    byte[] whole;
    try {
      whole = Base64.getUrlDecoder().decode(place);
    } catch (IllegalArgumentException e) {
      throw forged();
    }
    byte[] content = Arrays.copyOf(whole, CONTENT);
    byte[] claimed = Arrays.copyOfRange(whole, Math.min(CONTENT, whole.length), whole.length);
    if (!MessageDigest.isEqual(claimed, seal(room, account, content))) {
      throw forged();
    }
    ByteBuffer in = ByteBuffer.wrap(content);
    return new Opened(in.getLong(), in.getLong(), Duration.ofMillis(clock.millis() - in.getLong()));
  }

  private static Refusal forged() {
    return Refusal.invalidField("place", "is not a place of yours in this room");
  }

  private byte[] seal(RoomId room, AccountId account, byte[] content) {
    try {
      Mac mac = (Mac) keyed.clone(); // one serves one thread at a time
      mac.update(
          ByteBuffer.allocate(2 * Long.BYTES)
              .putLong(room.value())
              .putLong(account.value())
              .flip());
      return Arrays.copyOf(mac.doFinal(content), SEAL);
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }
}
