package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.AccountState;
import io.confab.account.AccountCommand.Standing;
import io.confab.account.AccountTransactions.Outcome;
import io.confab.bus.Done;
import io.confab.feed.AccountNews;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/// Suspends, restores and removes accounts. Each sets the standing first and then ends the
/// sign-ins, in one transaction; who signs in holds the standing until its commit, so no sign-in
/// slips through between.
public final class AccountLifecycle {
  private final AccountTransactions transactions;
  private final StandingStore standings;
  private final AccountStore accounts;
  private final DeviceStore devices;
  private final SignIns signIns;
  private final Memberships memberships;

  /// The rooms of an account.
  public interface Memberships {
    /// Ends all memberships of an account that was removed; harmless when repeated.
    Future<Void> end(AccountId account);
  }

  public AccountLifecycle(
      AccountTransactions transactions,
      StandingStore standings,
      AccountStore accounts,
      DeviceStore devices,
      SignIns signIns,
      Memberships memberships) {
    this.transactions = transactions;
    this.standings = standings;
    this.accounts = accounts;
    this.devices = devices;
    this.signIns = signIns;
    this.memberships = memberships;
  }

  /// Refusals: `unauthorized` for an account that is not there, `forbidden` for a suspended one.
  static Standing requireActive(Optional<Standing> found) {
    Standing standing =
        found
            .filter(s -> !s.removed())
            .orElseThrow(() -> new Refusal(ErrorCode.UNAUTHORIZED, "no such account"));
    if (standing.suspended()) {
      throw new Refusal(ErrorCode.FORBIDDEN, "the account is suspended");
    }
    return standing;
  }

  /// Refusal: `not_found`.
  public Future<AccountState> suspend(AccountId account) {
    return change(account, standings::suspend, signIns::endAll)
        .compose(standing -> state(account, standing));
  }

  /// Refusal: `not_found`.
  public Future<AccountState> restore(AccountId account) {
    return transactions
        .run(transaction -> standings.restore(transaction, account).map(Outcome::quiet))
        .map(found -> found.orElseThrow(AccountLifecycle::noSuchAccount))
        .compose(standing -> state(account, standing));
  }

  /// Ends the sign-ins for good, then the memberships. To be repeated when it fails half way.
  /// Refusal: `not_found`.
  public Future<Done> remove(AccountId account) {
    return change(account, standings::remove, devices::deleteAll)
        .compose(_ -> memberships.end(account))
        .map(Done.DONE);
  }

  private Future<Standing> change(
      AccountId account,
      BiFunction<SqlClient, AccountId, Future<Optional<Standing>>> standing,
      BiFunction<SqlClient, AccountId, Future<Void>> end) {
    return transactions.run(
        transaction ->
            standing
                .apply(transaction, account)
                .map(found -> found.orElseThrow(AccountLifecycle::noSuchAccount))
                .compose(now -> end.apply(transaction, account).map(now))
                .map(now -> Outcome.ringing(now, new AccountNews.SignInsEnded(account))));
  }

  private Future<AccountState> state(AccountId account, Standing standing) {
    return accounts.findByIds(List.of(account)).map(found -> state(found.getFirst(), standing));
  }

  private static AccountState state(Account account, Standing standing) {
    return new AccountState(
        account.accountId(),
        account.handle(),
        account.displayName(),
        standing.role(),
        standing.suspended());
  }

  static Refusal noSuchAccount() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such account");
  }
}
