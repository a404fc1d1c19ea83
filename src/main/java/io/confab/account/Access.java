package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.Refresh;
import io.confab.account.AccountCommand.SignIn;
import io.confab.account.AccountCommand.SignedOut;
import io.confab.account.AccountCommand.Tokens;
import io.confab.account.SignIns.Begun;
import io.confab.account.SignIns.Refreshed;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Lets people in by password and refresh token, and out again.
public final class Access {
  private final AccountStatusStore statuses;
  private final AccountStore accounts;
  private final SignIns signIns;
  private final AccessTokens accessTokens;

  public Access(
      AccountStatusStore statuses,
      AccountStore accounts,
      SignIns signIns,
      AccessTokens accessTokens) {
    this.statuses = statuses;
    this.accounts = accounts;
    this.signIns = signIns;
    this.accessTokens = accessTokens;
  }

  Future<Tokens> signIn(SignIn command, Device device) {
    return signIns
        .makingRoom(
            (transaction, connected) ->
                accounts
                    .holdPassword(
                        transaction, command.handle().toLowerCase(Locale.ROOT), command.password())
                    .map(found -> found.orElseThrow(Access::wrongPassword))
                    .compose(account -> admit(transaction, account, device, connected)))
        .compose(begun -> tokens(begun.signIn(), begun.token()));
  }

  /// Signs a device in at the request of a backend, and tells the account.
  Future<Tokens> issue(AccountId account, Device device) {
    return signIns
        .makingRoom(
            (transaction, connected) ->
                admit(transaction, account, device, connected)
                    .compose(begun -> told(transaction, begun)))
        .compose(begun -> tokens(begun.signIn(), begun.token()));
  }

  private Future<Outcome<Begun>> told(SqlClient transaction, Outcome<Begun> begun) {
    return statuses
        .countChange(transaction, begun.answer().signIn().caller().account())
        .map(begun.answer()::told);
  }

  private Future<Outcome<Begun>> admit(
      SqlClient transaction, AccountId account, Device device, @Nullable Set<DeviceId> connected) {
    return statuses
        .hold(transaction, account)
        .map(AccountRules::requireActive)
        .compose(
            _ -> signIns.begin(transaction, new Caller(account, device.id()), device, connected))
        .map(begun -> new Outcome<>(begun, begun.signals()));
  }

  Future<AccountCommand.Refreshed> refresh(Refresh command) {
    return signIns
        .refresh(new OpaqueToken(command.refreshToken()), command.from())
        .compose(
            refreshed ->
                switch (refreshed) {
                  case Refreshed.Renewed(Authenticated signIn, OpaqueToken token) ->
                      tokens(signIn, token).map(tokens -> tokens);
                  case Refreshed.Revoked(Caller caller) ->
                      Future.succeededFuture(new AccountCommand.Replayed(caller.account()));
                  case Refreshed.Refused _ ->
                      Future.failedFuture(AccountCommand.wrongRefreshToken());
                });
  }

  Future<SignedOut> signOut(Authenticated signIn, @Nullable Secret refreshToken) {
    return signIns
        .end(signIn, refreshToken == null ? null : new OpaqueToken(refreshToken))
        .map(SignedOut::new);
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

  private static Refusal wrongPassword() {
    return new Refusal(ErrorCode.UNAUTHORIZED, "wrong handle or password");
  }
}
