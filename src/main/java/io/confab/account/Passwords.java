package io.confab.account;

import io.confab.config.Config;
import io.confab.config.Secret;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Hashes and checks passwords on threads of its own, so many at a time as memory and cores
/// allow: platform threads, because hashing only computes and would hold up all virtual ones. A
/// short line waits; when it is full the call is refused as `unavailable`. Answers come on the
/// caller's context.
public final class Passwords implements AutoCloseable {
  private static final int WAITING_PER_THREAD = 32;

  private final Vertx vertx;
  private final Config.Argon2 cost;
  private final SecureRandom random;
  private final ThreadPoolExecutor threads;
  private final PasswordHash nobodys;

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
    this.nobodys =
        new PasswordHash(
            cost.memoryKib(), cost.iterations(), cost.parallelism(), salt(), new byte[32]);
  }

  /// A hash with a fresh salt, in the form in which it is stored.
  Future<String> hash(Secret password) {
    byte[] salt = salt();
    return compute(() -> PasswordHash.of(password.value(), salt, cost).toString());
  }

  /// Whether `stored` is the hash of the password. Without a stored hash the answer is no,
  /// after the same work, so that nobody learns from the time which handles exist.
  Future<Boolean> matches(Secret password, Optional<String> stored) {
    return compute(
        () -> {
          boolean equal = stored.map(PasswordHash::parse).orElse(nobodys).matches(password.value());
          return equal && stored.isPresent();
        });
  }

  private byte[] salt() {
    byte[] salt = new byte[PasswordHash.SALT_BYTES];
    random.nextBytes(salt);
    return salt;
  }

  private <T> Future<T> compute(Supplier<T> work) {
    try {
      return Future.fromCompletionStage(
          CompletableFuture.supplyAsync(work, threads), vertx.getOrCreateContext());
    } catch (RejectedExecutionException e) {
      return Future.failedFuture(Refusal.unavailable("too many passwords to check at once"));
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
