package io.confab.terminal;

import io.confab.client.Account;
import io.confab.client.ApiException;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.protocol.AccountId;
import io.confab.screen.Plain;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The names of people, each read from the server once. For one thread, which waits for the server.
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

  /// Reads the names that are not known yet. A name that cannot be read now is read later.
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

  /// What a room is called, safe to print: its name, or `@handle` of the other in a direct room.
  public String title(ChatRoom room) {
    AccountId peer = room.peerId();
    if (peer != null) {
      learn(List.of(peer));
      return "@" + Plain.line(of(peer));
    }
    return Plain.line(Optional.ofNullable(room.name()).orElseGet(room.roomId()::toString));
  }

  /// The handle; the id where the handle is not known.
  public String of(AccountId account) {
    return Optional.ofNullable(known.get(account)).orElseGet(account::toString);
  }
}
