package io.confab.account;

import io.confab.config.Config;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Hashes passwords on threads of its own, so many at a time as memory and cores allow: platform
/// threads, because hashing only computes and would hold up all virtual ones.
///
/// Two short lines wait and are served in turn: one of strangers, one of those who are known, so
/// that no number of strangers keeps them out. In each everybody has the same share
/// ([FairLine]); what does not fit is refused as `unavailable`. Answers come on the caller's
/// context.
public final class Passwords implements AutoCloseable {
  private static final int WAITING_PER_THREAD = 32;

  private final Vertx vertx;
  private final Config.Argon2 cost;
  private final SecureRandom random;
  private final ExecutorService threads;
  private final FairLine<Place, Task> known;
  private final FairLine<Place, Task> strangers;
  private boolean strangersNext;

  public Passwords(Vertx vertx, Config.Argon2 cost, SecureRandom random) {
    this.vertx = vertx;
    this.cost = cost;
    this.random = random;
    int waiting = cost.concurrency() * WAITING_PER_THREAD;
    this.known = new FairLine<>(waiting);
    this.strangers = new FairLine<>(waiting);
    this.threads =
        Executors.newFixedThreadPool(
            cost.concurrency(), Thread.ofPlatform().daemon().name("password-", 0).factory());
  }

  /// The source of a password to hash. All passwords from one place have one share of the queue.
  public record Place(Kind kind, String who) {
    enum Kind {
      NETWORK,
      ACCOUNT,
      INTERNAL
    }

    /// Strangers share by network.
    public static Place stranger(String network) {
      return new Place(Kind.NETWORK, network);
    }

    /// Those who are known share by account.
    ///
    /// @param account its handle in lower case, or its id
    public static Place known(String account) {
      return new Place(Kind.ACCOUNT, account);
    }

    /// Operators and backends.
    public static Place internal(String what) {
      return new Place(Kind.INTERNAL, what);
    }

    boolean isKnown() {
      return kind != Kind.NETWORK;
    }
  }

  private record Task(
      Secret password, PasswordSalt salt, CompletableFuture<HashedPassword> answer) {
    void run() {
      try {
        answer.complete(salt.hash(password));
      } catch (RuntimeException failure) {
        answer.completeExceptionally(failure);
      }
    }
  }

  /// A hash with a fresh salt.
  public Future<HashedPassword> hash(Secret password, Place place) {
    byte[] salt = new byte[PasswordSalt.BYTES];
    random.nextBytes(salt);
    return hash(password, PasswordSalt.of(cost, salt), place);
  }

  /// What shows that somebody knows the password that was hashed with this salt.
  public Future<PasswordProof> prove(Secret password, PasswordSalt salt, Place place) {
    return hash(password, salt, place).map(HashedPassword::proof);
  }

  private Future<HashedPassword> hash(Secret password, PasswordSalt salt, Place place) {
    CompletableFuture<HashedPassword> answer = new CompletableFuture<>();
    Optional<Task> refused = add(place, new Task(password, salt, answer));
    if (refused.isPresent()) { // the turn of the one that goes is that of the one that came
      refused
          .get()
          .answer()
          .completeExceptionally(Refusal.unavailable("too many passwords to check at once"));
    } else {
      threads.execute(() -> next().ifPresent(Task::run));
    }
    return Future.fromCompletionStage(answer, vertx.getOrCreateContext());
  }

  private synchronized Optional<Task> add(Place place, Task task) {
    return (place.isKnown() ? known : strangers).add(place, task);
  }

  private synchronized Optional<Task> next() {
    strangersNext = !strangersNext;
    return strangersNext ? strangers.poll().or(known::poll) : known.poll().or(strangers::poll);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
