package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.NewAccount;
import io.confab.account.AccountStore.NewRow;
import io.confab.account.Passwords.Place;
import io.confab.bus.Done;
import io.confab.feed.AccountSignal;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.protocol.TextRules;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes and changes accounts at the request of operators.
public final class AccountAdministration {
  private static final Place OPERATOR = Place.internal("operator");

  private final AnnouncedTransactions transactions;
  private final AccountStore accounts;
  private final SignIns signIns;
  private final Passwords passwords;
  private final SecureRandom random;

  public AccountAdministration(
      AnnouncedTransactions transactions,
      AccountStore accounts,
      SignIns signIns,
      Passwords passwords,
      SecureRandom random) {
    this.transactions = transactions;
    this.accounts = accounts;
    this.signIns = signIns;
    this.passwords = passwords;
    this.random = random;
  }

  /// As below, of a password that is not hashed yet. Refusals: also `invalid_field` (`password`).
  public Future<Account> create(
      String handle, Secret password, @Nullable String displayName, ServerRole role) {
    AccountRules.check(handle, password, displayName, role);
    return passwords
        .hash(password, OPERATOR)
        .compose(hashed -> create(new NewAccount(handle, displayName, hashed, role)));
  }

  /// Makes an account; without a display name it shows its handle. Refusals: `invalid_field`
  /// (`handle`, `display_name`), `conflict` (handle taken).
  Future<Account> create(NewAccount asked) {
    Account account = AccountRules.make(asked, AccountId.random(random));
    return accounts
        .insert(List.of(new NewRow(account, asked.role(), asked.password())))
        .map(
            inserted -> {
              if (inserted.isEmpty()) {
                throw AccountRules.handleTaken();
              }
              return account;
            });
  }

  /// Refusal: `not_found`, also for a bot.
  public Future<Void> setRole(String handle, ServerRole role) {
    return accounts
        .setRole(TextRules.handle("handle", handle), role)
        .map(
            found -> {
              if (!found) {
                throw AccountRules.noSuchAccount();
              }
              return null;
            });
  }

  /// Sets a password and signs all devices of the account out. Refusals: `not_found`,
  /// `invalid_field` (`handle`, `password`), `conflict` for a bot.
  public Future<Void> setPassword(String handle, Secret password) {
    TextRules.password("password", password.value());
    return find(handle)
        .compose(
            account ->
                passwords.hash(password, OPERATOR).compose(hashed -> setPassword(account, hashed)));
  }

  private Future<Void> setPassword(AccountId account, HashedPassword password) {
    return transactions
        .run(
            transaction ->
                accounts
                    .setPassword(transaction, account, password)
                    .compose(
                        set ->
                            set
                                ? signIns.endAll(transaction, account)
                                : Future.failedFuture(
                                    new Refusal(ErrorCode.CONFLICT, "a bot has no password")))
                    .map(
                        _ ->
                            Outcome.signalling(Done.DONE, new AccountSignal.SignInsEnded(account))))
        .mapEmpty();
  }

  /// As [#find], also when it was removed before.
  public Future<AccountId> findRemoved(String handle) {
    return accounts
        .findEver(TextRules.handle("handle", handle))
        .map(found -> found.orElseThrow(AccountRules::noSuchAccount).accountId());
  }

  /// The account with this handle. Refusals: `not_found`, `invalid_field` (`handle`).
  public Future<AccountId> find(String handle) {
    return accounts
        .findByHandle(TextRules.handle("handle", handle))
        .map(found -> found.orElseThrow(AccountRules::noSuchAccount).accountId());
  }
}
