package io.confab.terminal;

import io.confab.client.Account;
import io.confab.client.ApiException;
import io.confab.client.ConfabApi;
import io.confab.protocol.AccountId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What people are called, asked once each. For one thread, which it blocks while it asks.
public final class Names {
  private static final int MOST = 10_000;

  private final ConfabApi api;
  private final Map<AccountId, String> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<AccountId, String> eldest) {
          return size() > MOST;
        }
      };

  public Names(ConfabApi api) {
    this.api = api;
  }

  /// Asks for those that are not known yet. One that cannot be asked for now is asked for again
  /// later.
  public void learn(Collection<AccountId> accounts) {
    List<AccountId> unknown =
        accounts.stream().distinct().filter(account -> !known.containsKey(account)).toList();
    if (unknown.isEmpty()) {
      return;
    }
    try {
      for (Account account : api.accounts(unknown).await()) {
        known.put(account.accountId(), account.handle());
      }
    } catch (ApiException _) {
      // shown by their ids meanwhile
    }
  }

  /// The handle; the id of one that is not known.
  public String of(AccountId account) {
    return Optional.ofNullable(known.get(account)).orElseGet(account::toString);
  }
}
