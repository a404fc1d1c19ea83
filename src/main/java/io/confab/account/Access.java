package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.SignIn;
import io.confab.account.AccountCommand.Tokens;
import io.confab.account.AccountStore.Credential;
import io.confab.account.SignIns.Begun;
import io.confab.account.SignIns.Refreshed;
import io.confab.bus.Done;
import io.confab.config.Secret;
import io.confab.feed.AccountNews;
import io.confab.feed.Announcer;
import io.confab.postgres.Database;
import io.confab.protocol.Caller;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Lets people in by password and refresh token, and out again. Whoever's sign-in ends by it is
/// rung for after the commit.
public final class Access {
  private final Database database;
  private final AccountStore accounts;
  private final Passwords passwords;
  private final SignIns signIns;
  private final AccessTokens accessTokens;
  private final Announcer announcer;

  public Access(
      Database database,
      AccountStore accounts,
      Passwords passwords,
      SignIns signIns,
      AccessTokens accessTokens,
      Announcer announcer) {
    this.database = database;
    this.accounts = accounts;
    this.passwords = passwords;
    this.signIns = signIns;
    this.accessTokens = accessTokens;
    this.announcer = announcer;
  }

  Future<Tokens> signIn(SignIn command, Device device) {
    return accounts
        .findCredential(command.handle().toLowerCase(Locale.ROOT))
        .compose(found -> check(found, command.password()))
        .compose(credential -> begin(credential, device))
        .compose(
            begun -> {
              if (begun.endedAnother()) {
                ringRevoked(begun.signIn().caller());
              }
              return tokens(begun.signIn(), begun.token());
            });
  }

  private Future<Credential> check(Optional<Credential> found, Secret password) {
    return passwords
        .matches(password, found.map(Credential::passwordHash))
        .map(matches -> found.filter(_ -> matches).orElseThrow(Access::wrongPassword));
  }

  /// The password may have been changed while it was checked: it is held until the commit.
  private Future<Begun> begin(Credential credential, Device device) {
    Caller caller = new Caller(credential.account(), device.id());
    return database.transaction(
        transaction ->
            accounts
                .holdCredential(transaction, credential)
                .compose(
                    held ->
                        held
                            ? signIns.begin(transaction, caller, device)
                            : Future.failedFuture(wrongPassword())));
  }

  Future<Tokens> refresh(Secret refreshToken) {
    return signIns
        .refresh(new OpaqueToken(refreshToken))
        .compose(
            refreshed ->
                switch (refreshed) {
                  case Refreshed.Renewed(Authenticated signIn, OpaqueToken token) ->
                      tokens(signIn, token);
                  case Refreshed.Revoked(Caller caller) -> {
                    ringRevoked(caller);
                    yield Future.failedFuture(wrongToken());
                  }
                  case Refreshed.Refused() -> Future.failedFuture(wrongToken());
                });
  }

  Future<Done> signOut(Caller caller) {
    return signIns
        .end(caller)
        .map(
            _ -> {
              ringRevoked(caller);
              return Done.DONE;
            });
  }

  private Future<Tokens> tokens(Authenticated signIn, OpaqueToken refreshToken) {
    return accessTokens
        .issue(signIn)
        .map(
            accessToken ->
                new Tokens(
                    accessToken,
                    refreshToken.text(),
                    accessTokens.ttl(),
                    signIn.caller().account(),
                    signIn.caller().device()));
  }

  private void ringRevoked(Caller caller) {
    announcer.ring(List.of(new AccountNews.Revoked(caller.account(), caller.device())));
  }

  private static Refusal wrongPassword() {
    return new Refusal(ErrorCode.UNAUTHORIZED, "wrong handle or password");
  }

  private static Refusal wrongToken() {
    return new Refusal(ErrorCode.UNAUTHORIZED, "the refresh token is not valid");
  }
}
