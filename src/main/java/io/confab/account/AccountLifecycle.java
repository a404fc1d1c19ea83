package io.confab.account;

import io.confab.account.AccountCommand.AccountState;
import io.confab.account.AccountCommand.AccountStatus;
import io.confab.bus.Done;
import io.confab.feed.AccountSignal;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Suspends, restores and removes accounts. Each operation sets the status first and then ends
/// the sign-ins, in one transaction. A sign-in holds the status until its commit, so none slips
/// through in between.
public final class AccountLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(AccountLifecycle.class);
  private static final int MOST_AT_ONCE = 100;

  private final AnnouncedTransactions transactions;
  private final AccountStatusStore statuses;
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
      AnnouncedTransactions transactions,
      AccountStatusStore statuses,
      AccountStore accounts,
      DeviceStore devices,
      SignIns signIns,
      Memberships memberships) {
    this.transactions = transactions;
    this.statuses = statuses;
    this.accounts = accounts;
    this.devices = devices;
    this.signIns = signIns;
    this.memberships = memberships;
  }

  /// Refusal: `not_found`.
  public Future<AccountState> suspend(AccountId account) {
    return change(account, statuses::suspend, signIns::endAll).compose(_ -> statuses.find(account));
  }

  /// Refusal: `not_found`.
  public Future<AccountState> restore(AccountId account) {
    return transactions
        .run(transaction -> statuses.restore(transaction, account).map(Outcome::quiet))
        .map(found -> found.orElseThrow(AccountRules::noSuchAccount))
        .compose(_ -> statuses.find(account));
  }

  /// Ends the sign-ins for good, then the memberships. What is interrupted between the two is
  /// finished by whichever node finds it ([#finishRemovals]). Refusal: `not_found`.
  public Future<Done> remove(AccountId account) {
    return change(account, statuses::remove, devices::deleteAll)
        .compose(_ -> endMemberships(account))
        .map(Done.DONE);
  }

  /// Removes the account of somebody who proves to be its owner. Done once nobody can undo it: the
  /// caller has no sign-in any more by which to repeat the call, so the memberships end on their
  /// own. Refusal: `invalid_field` (`password`).
  Future<Done> removeOwn(AccountId account, PasswordProof password) {
    return change(
            account,
            (transaction, own) ->
                accounts
                    .deletePassword(transaction, own, password)
                    .compose(
                        deleted ->
                            deleted
                                ? statuses.remove(transaction, own)
                                : Future.failedFuture(
                                    Refusal.invalidField("password", "is not the password"))),
            devices::deleteAll)
        .onSuccess(_ -> endEach(List.of(account).iterator()))
        .map(Done.DONE);
  }

  /// Ends the memberships of accounts that were removed that long ago and still have some; at most
  /// a hundred.
  Future<Void> finishRemovals(Duration ago) {
    return statuses.leaving(ago, MOST_AT_ONCE).compose(found -> endEach(found.iterator()));
  }

  private Future<Void> endEach(Iterator<AccountId> accounts) {
    return accounts.hasNext()
        ? endMemberships(accounts.next())
            .onFailure(failure -> LOG.warn("A removal is not finished", failure))
            .transform(_ -> endEach(accounts))
        : Future.succeededFuture();
  }

  private Future<Void> endMemberships(AccountId account) {
    return memberships.end(account).compose(_ -> statuses.left(account));
  }

  private Future<AccountStatus> change(
      AccountId account,
      BiFunction<SqlClient, AccountId, Future<Optional<AccountStatus>>> status,
      BiFunction<SqlClient, AccountId, Future<Void>> end) {
    return transactions.run(
        transaction ->
            status
                .apply(transaction, account)
                .map(found -> found.orElseThrow(AccountRules::noSuchAccount))
                .compose(now -> end.apply(transaction, account).map(now))
                .map(now -> Outcome.signalling(now, new AccountSignal.SignInsEnded(account))));
  }
}
