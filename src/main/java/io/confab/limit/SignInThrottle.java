package io.confab.limit;

import io.confab.config.Sha256;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Slows down the guessing of passwords, and locks no owner out.
///
/// Each address and each known device that fails for one handle waits longer and longer, by itself
/// ([Tries]). Strangers, who never signed in to the account from where they are, have one
/// allowance for each handle, whatever their number ([Limit#HANDLE_SIGN_INS]), and one for each
/// network, whatever the handles ([Limit#FAILED_SIGN_INS]); neither holds up who is known. Known
/// and unknown handles are treated alike. For any thread.
///
/// Callers take [Limit#SIGN_INS] before each try.
///
/// Redis is asked before each try, for at most 100 ms ([RedisTries]); without an answer this
/// node counts alone.
public final class SignInThrottle {
  private static final int MOST_KNOWN = 50_000;
  private static final int KEY_BYTES = 16;

  private final Limits limits;
  private final SharedTries shared;
  private final LocalTries local;

  public SignInThrottle(Limits limits, SharedTries shared, LongSupplier nanoTime) {
    this.limits = limits;
    this.shared = shared;
    this.local = new LocalTries(MOST_KNOWN, nanoTime);
  }

  /// Tries a password. Refusals: `rate_limited` with the time to wait, without having tried; and
  /// those of the try.
  ///
  /// @param wrong the refusal of a wrong password; another failure does not count
  public <T> Future<T> attempt(Visitor visitor, ErrorCode wrong, Supplier<Future<T>> attempt) {
    String network = visitor.address().network();
    String account = name(visitor.whose());
    String pair = account + "-" + name(visitor.name());
    if (!visitor.known()) {
      limits.check(Limit.FAILED_SIGN_INS, network);
    }
    return begin(pair)
        .compose(
            begun -> {
              if (!begun.delay().isZero()) {
                throw limits.refusal(Limit.HANDLE_SIGN_INS, begun.delay());
              }
              if (!visitor.known()) {
                takeOfStrangers(account, begun);
              }
              return attempt
                  .get()
                  .onSuccess(_ -> forget(pair))
                  .onSuccess(_ -> giveBack(visitor, account))
                  .onFailure(
                      failure -> {
                        if (failure instanceof Refusal refusal && refusal.code() == wrong) {
                          limits.count(Limit.FAILED_SIGN_INS, network);
                        } else {
                          begun.withdraw().run();
                          giveBack(visitor, account);
                        }
                      });
            });
  }

  private void giveBack(Visitor visitor, String account) {
    if (!visitor.known()) {
      limits.giveBack(Limit.HANDLE_SIGN_INS, account);
    }
  }

  /// Counts before the outcome is known, so that many at once get no more; only failures stay
  /// counted. What is refused here is no try of the pair.
  private void takeOfStrangers(String account, Begun begun) {
    try {
      limits.take(Limit.HANDLE_SIGN_INS, account);
    } catch (Refusal refusal) {
      begun.withdraw().run();
      throw refusal;
    }
  }

  /// @param delay zero, or how long to wait
  /// @param withdraw takes the try back where it was counted, and nowhere else
  private record Begun(Duration delay, Runnable withdraw) {}

  private Future<Begun> begin(String pair) {
    return shared
        .begin(pair)
        .map(delay -> new Begun(delay, () -> withdraw(pair)))
        .recover(
            _ -> Future.succeededFuture(new Begun(local.begin(pair), () -> local.withdraw(pair))));
  }

  private void forget(String pair) {
    local.forget(pair);
    shared.forget(pair).onFailure(_ -> {}); // it ends by itself
  }

  private void withdraw(String pair) {
    shared.withdraw(pair).onFailure(_ -> {}); // it ends by itself
  }

  /// Of bounded length, and unreadable in a key.
  private static String name(String text) {
    return Sha256.hex(text, KEY_BYTES);
  }
}
