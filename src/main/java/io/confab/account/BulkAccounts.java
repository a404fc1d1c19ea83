package io.confab.account;

import io.confab.account.AccountCommand.Created;
import io.confab.account.AccountCommand.CreatedAccounts;
import io.confab.account.AccountCommand.NewAccount;
import io.confab.account.AccountStore.NewRow;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;

/// Makes many accounts by one statement. An account that cannot be made does not stop the
/// others.
public final class BulkAccounts {
  private final AccountStore accounts;
  private final SecureRandom random;

  public BulkAccounts(AccountStore accounts, SecureRandom random) {
    this.accounts = accounts;
    this.random = random;
  }

  /// What is to be added for an account that was asked for, or why it cannot be.
  private sealed interface Prepared {
    record Good(NewRow row) implements Prepared {}

    record Bad(Refusal refusal) implements Prepared {}
  }

  Future<CreatedAccounts> create(List<NewAccount> asked) {
    List<Prepared> prepared = asked.stream().map(this::prepare).toList();
    List<NewRow> rows =
        prepared.stream()
            .filter(Prepared.Good.class::isInstance)
            .map(good -> ((Prepared.Good) good).row())
            .toList();
    return accounts
        .insert(rows)
        .map(
            added ->
                new CreatedAccounts(prepared.stream().map(one -> created(one, added)).toList()));
  }

  private Prepared prepare(NewAccount asked) {
    try {
      return new Prepared.Good(
          new NewRow(
              AccountRules.make(asked, AccountId.random(random)), asked.role(), asked.password()));
    } catch (Refusal refusal) {
      return new Prepared.Bad(refusal);
    }
  }

  private static Created created(Prepared prepared, Set<AccountId> added) {
    return switch (prepared) {
      case Prepared.Good(NewRow row) when added.contains(row.account().accountId()) ->
          Created.of(row.account().accountId());
      case Prepared.Good _ -> Created.refused(AccountRules.handleTaken());
      case Prepared.Bad(Refusal refusal) -> Created.refused(refusal);
    };
  }
}
