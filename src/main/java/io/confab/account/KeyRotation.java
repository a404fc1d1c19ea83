package io.confab.account;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Adds a new signing key before the present one is too old, and deletes old keys when the last
/// token signed by them has expired. Every node does this; when several do it at once, one of
/// them adds the key.
public final class KeyRotation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeyRotation.class);
  private static final Duration INTERVAL = Duration.ofMinutes(10);

  /// Longer than a node may sign by an old key, and than clocks differ.
  private static final Duration MARGIN = SigningKeys.OLDEST.multipliedBy(5);

  private final Vertx vertx;
  private final SigningKeyStore store;
  private final Duration period;
  private final Duration tokenTtl;
  private final SecureRandom random;
  private IntConsumer rotated = _ -> {};
  private long timer = -1;

  /// @param period how long a key signs
  /// @param tokenTtl the longest life of a token on any node
  public KeyRotation(
      Vertx vertx, SigningKeyStore store, Duration period, Duration tokenTtl, SecureRandom random) {
    this.vertx = vertx;
    this.store = store;
    this.period = period;
    this.tokenTtl = tokenTtl;
    this.random = random;
  }

  /// Looks now and every ten minutes.
  ///
  /// @param rotated hears of each key that this node adds
  public void start(IntConsumer rotated) {
    this.rotated = rotated;
    look();
    timer = vertx.setPeriodic(INTERVAL.toMillis(), _ -> look());
  }

  private void look() {
    rotateIfDue().onFailure(failure -> LOG.warn("Signing keys were not looked at", failure));
  }

  Future<Void> rotateIfDue() {
    return store
        .addAfter(period, SigningKeys.secret(random))
        .onSuccess(added -> added.ifPresent(rotated::accept))
        .compose(_ -> store.deleteSucceeded(tokenTtl.plus(MARGIN)));
  }

  /// Adds a key at once and answers its id: within a minute all nodes sign by it, and from now on
  /// all accept what it signed.
  public Future<Integer> rotate() {
    return store
        .add(SigningKeys.secret(random))
        .onSuccess(added -> added.ifPresent(rotated::accept))
        .compose(added -> added.map(Future::succeededFuture).orElseGet(this::rotate));
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }
}
