package io.confab.account;

import io.confab.account.AccountCommand.ChangeMe;
import io.confab.account.AccountCommand.MeChange;
import io.confab.account.AccountCommand.MeView;
import io.confab.bus.Done;
import io.confab.feed.AccountSignal;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.feed.Announcer;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.Refusal;
import io.confab.protocol.TextRules;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What people change of their own accounts: password and display name.
public final class OwnAccount {
  private static final Logger LOG = LoggerFactory.getLogger(OwnAccount.class);

  private final AnnouncedTransactions transactions;
  private final AccountStore accounts;
  private final SignIns signIns;
  private final Announcer announcer;
  private final Function<AccountId, Future<List<AccountId>>> coMembers;

  /// @param coMembers the accounts to signal when an account changes its display name
  public OwnAccount(
      AnnouncedTransactions transactions,
      AccountStore accounts,
      SignIns signIns,
      Announcer announcer,
      Function<AccountId, Future<List<AccountId>>> coMembers) {
    this.transactions = transactions;
    this.accounts = accounts;
    this.signIns = signIns;
    this.announcer = announcer;
    this.coMembers = coMembers;
  }

  /// A sign-in with the old password holds it until its commit, so no such sign-in outlives the
  /// change.
  Future<Done> changePassword(Caller caller, PasswordProof old, HashedPassword fresh) {
    return transactions.run(
        transaction ->
            accounts
                .replacePassword(transaction, caller.account(), old, fresh)
                .compose(
                    replaced ->
                        replaced
                            ? signIns.endOthers(transaction, caller)
                            : Future.failedFuture(wrongOld()))
                .map(
                    _ ->
                        Outcome.signalling(
                            Done.DONE, new AccountSignal.SignInsEnded(caller.account()))));
  }

  private static Refusal wrongOld() {
    return Refusal.invalidField("old", "is not the password");
  }

  /// A new name is told, and that others may see more of the account, or less: also if it was so
  /// before, since the call may repeat one whose answer was lost.
  Future<MeView> change(ChangeMe command) {
    AccountId account = command.caller();
    MeChange change = command.change();
    String name = change.displayName();
    if (name != null) {
      TextRules.name("display_name", name);
    }
    List<AccountSignal> signals =
        change.isAboutSight() ? List.of(new AccountSignal.VisibilityChanged(account)) : List.of();
    return transactions
        .run(
            transaction ->
                accounts
                    .change(transaction, account, change, command.seen())
                    .map(changed -> new Outcome<>(changed, signals)))
        .map(
            changed -> {
              if (changed.renamed()) {
                tell(account);
              }
              return changed.me();
            });
  }

  private void tell(AccountId account) {
    announcer.signal(List.of(new AccountSignal.Renamed(account, account)));
    coMembers
        .apply(account)
        .onSuccess(
            others ->
                announcer.signalOnce(
                    others.stream()
                        .<AccountSignal>map(other -> new AccountSignal.Renamed(other, account))
                        .toList()))
        .onFailure(failure -> LOG.debug("Nobody was told of a new name", failure));
  }
}
