package io.confab.account;

import io.confab.config.Config;
import io.confab.config.Secret;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Hashes passwords on threads of its own, so many at a time as memory and cores allow: platform
/// threads, because hashing only computes and would hold up all virtual ones. A short line waits;
/// when it is full the call is refused as `unavailable`. Answers come on the caller's context.
public final class Passwords implements AutoCloseable {
  private static final int WAITING_PER_THREAD = 32;

  private final Vertx vertx;
  private final Config.Argon2 cost;
  private final SecureRandom random;
  private final ThreadPoolExecutor threads;

  public Passwords(Vertx vertx, Config.Argon2 cost, SecureRandom random) {
    this.vertx = vertx;
    this.cost = cost;
    this.random = random;
    this.threads =
        new ThreadPoolExecutor(
            cost.concurrency(),
            cost.concurrency(),
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(cost.concurrency() * WAITING_PER_THREAD),
            Thread.ofPlatform().daemon().name("password-", 0).factory());
  }

  /// A hash with a fresh salt.
  public Future<HashedPassword> hash(Secret password) {
    byte[] salt = new byte[PasswordSalt.BYTES];
    random.nextBytes(salt);
    return hash(password, PasswordSalt.of(cost, salt));
  }

  /// What shows that somebody knows the password that was hashed with this salt.
  public Future<PasswordProof> prove(Secret password, PasswordSalt salt) {
    return hash(password, salt).map(HashedPassword::proof);
  }

  private Future<HashedPassword> hash(Secret password, PasswordSalt salt) {
    try {
      return Future.fromCompletionStage(
          CompletableFuture.supplyAsync(() -> salt.hash(password), threads),
          vertx.getOrCreateContext());
    } catch (RejectedExecutionException e) {
      return Future.failedFuture(Refusal.unavailable("too many passwords to check at once"));
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
