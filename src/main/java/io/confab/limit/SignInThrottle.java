package io.confab.limit;

import io.confab.config.Sha256;
import io.confab.listener.ClientAddress;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Slows down the guessing of passwords, and locks nobody out.
///
/// An address that fails for one handle waits longer and longer ([Tries]); other addresses are not
/// held up by it. Failures are also counted per address, over all handles, and per handle, over
/// all addresses: beyond the limit of a handle only addresses that failed for it before are
/// refused, and the first try of an address is let through. Known and unknown handles are treated
/// alike. For any thread.
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
  private final BoundedNames failed = new BoundedNames(MOST_KNOWN);

  public SignInThrottle(Limits limits, SharedTries shared, LongSupplier nanoTime) {
    this.limits = limits;
    this.shared = shared;
    this.local = new LocalTries(MOST_KNOWN, nanoTime);
  }

  /// Tries a password. Refusals: `rate_limited` with the time to wait, without having tried; and
  /// those of the try.
  ///
  /// @param whose the handle, or another name, of the account
  /// @param wrong the refusal of a wrong password; another failure does not count
  public <T> Future<T> attempt(
      String whose, ClientAddress address, ErrorCode wrong, Supplier<Future<T>> attempt) {
    String from = address.group();
    String account = name(whose.toLowerCase(Locale.ROOT));
    String pair = account + "-" + name(from);
    limits.check(Limit.FAILED_SIGN_INS, from);
    if (failed.contains(pair)) {
      limits.check(Limit.HANDLE_SIGN_INS, account);
    }
    return begin(pair)
        .compose(
            delay -> {
              if (!delay.isZero()) {
                throw limits.refusal(Limit.HANDLE_SIGN_INS, delay);
              }
              return attempt
                  .get()
                  .onSuccess(_ -> succeeded(pair))
                  .onFailure(
                      failure -> {
                        if (failure instanceof Refusal refusal && refusal.code() == wrong) {
                          failed(from, account, pair);
                        } else {
                          forget(pair);
                        }
                      });
            });
  }

  private Future<Duration> begin(String pair) {
    return shared.begin(pair).recover(_ -> Future.succeededFuture(local.begin(pair)));
  }

  private void succeeded(String pair) {
    failed.remove(pair);
    forget(pair);
  }

  private void forget(String pair) {
    local.forget(pair);
    shared.forget(pair).onFailure(_ -> {}); // it ends by itself
  }

  private void failed(String from, String account, String pair) {
    failed.add(pair);
    limits.count(Limit.FAILED_SIGN_INS, from);
    limits.count(Limit.HANDLE_SIGN_INS, account);
  }

  /// Of bounded length, and unreadable in a key.
  private static String name(String text) {
    return Sha256.hex(text, KEY_BYTES);
  }
}
