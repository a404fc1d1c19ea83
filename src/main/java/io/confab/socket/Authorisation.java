package io.confab.socket;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.Ended;
import io.confab.account.AccountCommand.FindEnded;
import io.confab.account.AccountCommand.Renew;
import io.confab.account.outside.BearerCommand;
import io.confab.bus.Requests;
import io.confab.protocol.Caller;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a session goes on by: a sign-in, until that is over. The client may put a newer one of
/// the same device in its place.
final class Authorisation {
  private final Requests bus;
  private final Consumer<CloseCode> revoked;
  private final @Nullable Expiry expiry;
  private Authenticated signIn;
  private boolean closed;

  /// @param revoked is told when the sign-in is over, and how the socket is to close
  /// @param expiry of the outside token by which the session goes on, too
  Authorisation(
      Authenticated signIn, Requests bus, Consumer<CloseCode> revoked, @Nullable Expiry expiry) {
    this.signIn = signIn;
    this.bus = bus;
    this.revoked = revoked;
    this.expiry = expiry;
  }

  /// The session has begun.
  void begin() {
    if (expiry != null) {
      expiry.begin();
    }
  }

  Caller caller() {
    return signIn.caller();
  }

  Authenticated signIn() {
    return signIn;
  }

  /// Answers how long the token is good. Its sign-in is what the session goes on by from now
  /// on, which may be longer. Refusals: `unauthorized`, `token_expired`, `invalid_field`.
  Future<Duration> renew(Secret token) {
    Expiry outside = expiry;
    if (outside != null) {
      return bus.request(new BearerCommand.Read(token)).map(outside::renew);
    }
    return bus.request(new Renew(caller(), token))
        .map(
            renewed -> {
              signIn = renewed.signIn();
              return renewed.expiresIn();
            });
  }

  /// Looks whether the sign-in still stands, after something of the device has ended: which it
  /// was, the database knows. Done when it was looked up.
  Future<Void> check() {
    Authenticated asked = signIn;
    return bus.request(new FindEnded(List.of(asked))).compose(ended -> answered(asked, ended));
  }

  private Future<Void> answered(Authenticated asked, Ended ended) {
    if (!asked.equals(signIn)) {
      return check(); // renewed meanwhile, and what has ended may be the newer one
    } else if (!ended.signIns().isEmpty() && !closed) {
      revoked.accept(
          ended.suspended().contains(asked.caller().account())
              ? CloseCode.SUSPENDED
              : CloseCode.REVOKED);
    }
    return Future.succeededFuture();
  }

  void close() {
    closed = true;
    if (expiry != null) {
      expiry.close();
    }
  }
}
