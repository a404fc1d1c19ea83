package io.confab.account;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// The key ring as this node knows it. The node reads it at first need, and makes the first key
/// if there is none. It reads the ring again before it signs with one that is a minute old, and
/// when a token names a key that the ring lacks, at most once a second. Requests in between wait
/// for the next read, so that a good token signed by a newer key is never refused. May be used
/// from any thread.
public final class SigningKeys {
  private static final int FIRST = 1;
  private static final int SECRET_BYTES = 32;
  private static final Duration BETWEEN_READS = Duration.ofSeconds(1);

  /// How long a node may go on signing by a key that has a successor.
  static final Duration OLDEST = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final SigningKeyStore store;
  private final SecureRandom random;
  private final InstantSource clock;
  private volatile @Nullable Known known;
  private @Nullable Future<KeyRing> nextRead;
  private long lastLook;

  private record Known(KeyRing ring, long readAt) {}

  public SigningKeys(Vertx vertx, SigningKeyStore store, SecureRandom random, InstantSource clock) {
    this.vertx = vertx;
    this.store = store;
    this.random = random;
    this.clock = clock;
  }

  /// The ring to sign with.
  Future<KeyRing> ring() {
    Known ring = known;
    return ring == null || clock.millis() - ring.readAt() > OLDEST.toMillis()
        ? read()
        : Future.succeededFuture(ring.ring());
  }

  /// The ring to verify with: one that has the key if the database has it.
  Future<KeyRing> ringFor(int keyId) {
    Known ring = known;
    if (ring != null && ring.ring().has(keyId)) {
      return Future.succeededFuture(ring.ring());
    }
    return ring == null ? read() : lookAgain();
  }

  /// The next read of the ring; all requests that wait for it share it.
  private synchronized Future<KeyRing> lookAgain() {
    Future<KeyRing> next = nextRead;
    if (next != null) {
      return next;
    }
    Promise<KeyRing> read = Promise.promise();
    nextRead = read.future();
    long wait = lastLook + BETWEEN_READS.toMillis() - clock.millis();
    if (wait > 0) {
      vertx.setTimer(Math.min(wait, BETWEEN_READS.toMillis()), _ -> look(read));
    } else {
      look(read);
    }
    return read.future();
  }

  private void look(Promise<KeyRing> waiting) {
    synchronized (this) {
      nextRead = null;
      lastLook = clock.millis();
    }
    read().onComplete(waiting);
  }

  private Future<KeyRing> read() {
    return store
        .readAll()
        .compose(keys -> keys.isEmpty() ? makeFirst() : Future.succeededFuture(keys))
        .map(
            keys -> {
              KeyRing ring = KeyRing.of(vertx, keys);
              known = new Known(ring, clock.millis());
              return ring;
            });
  }

  /// A key as it is made.
  static byte[] secret(SecureRandom random) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return secret;
  }

  /// Of nodes that do this at once one stores its key, and all go on with that one.
  private Future<SortedMap<Integer, byte[]>> makeFirst() {
    return store.insert(FIRST, secret(random)).compose(_ -> store.readAll());
  }
}
