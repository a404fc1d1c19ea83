package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.Accounts;
import io.confab.account.AccountCommand.MeView;
import io.confab.account.AccountCommand.NewAccount;
import io.confab.account.AccountCommand.SignUp;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/// Sign-up, and finding accounts by id or handle.
public final class People {
  private final AccountAdministration administration;
  private final AccountStore accounts;
  private final Function<Collection<AccountId>, Future<List<Account>>> byIds;

  /// @param byIds at least these accounts; many may ask at once
  public People(
      AccountAdministration administration,
      AccountStore accounts,
      Function<Collection<AccountId>, Future<List<Account>>> byIds) {
    this.administration = administration;
    this.accounts = accounts;
    this.byIds = byIds;
  }

  Future<Account> signUp(SignUp command) {
    return administration.create(
        new NewAccount(
            command.handle(), command.displayName(), command.password(), ServerRole.USER));
  }

  Future<MeView> read(AccountId account) {
    return accounts.read(account).map(found -> found.orElseThrow(AccountRules::noSuchAccount));
  }

  Future<Accounts> find(List<AccountId> ids) {
    Set<AccountId> wanted = new HashSet<>(ids);
    return byIds
        .apply(wanted)
        .map(
            found ->
                new Accounts(found.stream().filter(a -> wanted.contains(a.accountId())).toList()));
  }

  Future<Accounts> find(String handle) {
    return accounts
        .findByHandle(handle.toLowerCase(Locale.ROOT))
        .map(found -> new Accounts(found.stream().toList()));
  }
}
