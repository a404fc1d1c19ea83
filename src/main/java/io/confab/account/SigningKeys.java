package io.confab.account;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The key ring as this node knows it: read at first need, when the first key is made if there
/// is none, and again when a token names a key that it lacks, at most once a second. May be
/// used from any thread.
public final class SigningKeys {
  private static final int FIRST = 1;
  private static final int SECRET_BYTES = 32;
  private static final Duration BETWEEN_READS = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final SigningKeyStore store;
  private final SecureRandom random;
  private final InstantSource clock;
  private final AtomicLong lastRead = new AtomicLong();
  private volatile @Nullable KeyRing known;

  public SigningKeys(Vertx vertx, SigningKeyStore store, SecureRandom random, InstantSource clock) {
    this.vertx = vertx;
    this.store = store;
    this.random = random;
    this.clock = clock;
  }

  /// The ring to sign with.
  Future<KeyRing> ring() {
    KeyRing ring = known;
    return ring == null ? read() : Future.succeededFuture(ring);
  }

  /// The ring to verify with: one that has the key if the database has it.
  Future<KeyRing> ringFor(int keyId) {
    return ring()
        .compose(ring -> ring.has(keyId) || !mayRead() ? Future.succeededFuture(ring) : read());
  }

  private boolean mayRead() {
    long now = clock.millis();
    long last = lastRead.get();
    return now - last >= BETWEEN_READS.toMillis() && lastRead.compareAndSet(last, now);
  }

  private Future<KeyRing> read() {
    return store
        .readAll()
        .compose(keys -> keys.isEmpty() ? makeFirst() : Future.succeededFuture(keys))
        .map(
            keys -> {
              KeyRing ring = KeyRing.of(vertx, keys);
              known = ring;
              return ring;
            });
  }

  /// Of nodes that do this at once one stores its key, and all go on with that one.
  private Future<SortedMap<Integer, byte[]>> makeFirst() {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return store.insert(FIRST, secret).compose(_ -> store.readAll());
  }
}
