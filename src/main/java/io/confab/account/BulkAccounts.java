package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.Created;
import io.confab.account.AccountCommand.CreatedAccounts;
import io.confab.account.AccountCommand.NewAccount;
import io.confab.account.AccountStore.NewRow;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes many accounts by one statement. An account that cannot be made does not stop the
/// others. Passwords are hashed one after the other, so that a bulk call does not delay
/// sign-ins.
public final class BulkAccounts {
  private final AccountStore accounts;
  private final Passwords passwords;
  private final SecureRandom random;

  public BulkAccounts(AccountStore accounts, Passwords passwords, SecureRandom random) {
    this.accounts = accounts;
    this.passwords = passwords;
    this.random = random;
  }

  Future<CreatedAccounts> create(List<NewAccount> asked) {
    Map<Integer, Created> refused = new HashMap<>();
    Map<Integer, NewRow> rows = new HashMap<>();
    Future<Void> prepared = Future.succeededFuture();
    for (int i = 0; i < asked.size(); i++) {
      int place = i;
      prepared =
          prepared.compose(
              _ ->
                  prepare(asked.get(place))
                      .<Void>map(
                          row -> {
                            rows.put(place, row);
                            return null;
                          })
                      .recover(failure -> refuse(refused, place, failure)));
    }
    return prepared
        .compose(_ -> accounts.insert(List.copyOf(rows.values())))
        .map(
            inserted -> {
              List<Created> answer = new ArrayList<>();
              for (int i = 0; i < asked.size(); i++) {
                NewRow row = rows.get(i);
                answer.add(
                    row == null
                        ? refused.getOrDefault(i, taken())
                        : inserted.contains(row.account().accountId())
                            ? Created.of(row.account().accountId())
                            : taken());
              }
              return new CreatedAccounts(answer);
            });
  }

  private static Future<Void> refuse(Map<Integer, Created> refused, int place, Throwable failure) {
    if (failure instanceof Refusal refusal) {
      refused.put(place, Created.refused(refusal));
      return Future.succeededFuture();
    }
    return Future.failedFuture(failure);
  }

  private Future<NewRow> prepare(NewAccount asked) {
    try {
      Account account = AccountRules.make(asked, AccountId.random(random));
      return asked.password() == null
          ? Future.succeededFuture(new NewRow(account, asked.role(), null))
          : passwords.hash(asked.password()).map(hash -> new NewRow(account, asked.role(), hash));
    } catch (Refusal refusal) {
      return Future.failedFuture(refusal);
    }
  }

  private static Created taken() {
    return Created.refused(AccountRules.handleTaken());
  }
}
