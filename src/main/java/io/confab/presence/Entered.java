package io.confab.presence;

import io.confab.presence.PresenceCommand.Newest;
import io.confab.presence.PresenceCommand.Registered;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What became of sessions that were entered together.
///
/// @param contested the devices of which two sessions met
/// @param failed accounts whose sessions were not entered, and why: in a cluster of Redis one
///     server may be away while the others are there
record Entered(List<Newest> contested, Map<AccountId, Throwable> failed) {
  static final Entered NONE = new Entered(List.of(), Map.of());

  /// What of it these accounts are told.
  Future<Registered> of(Set<AccountId> accounts) {
    for (AccountId account : accounts) {
      Throwable why = failed.get(account);
      if (why != null) {
        return Future.failedFuture(why);
      }
    }
    return Future.succeededFuture(contestedOf(accounts));
  }

  private Registered contestedOf(Set<AccountId> accounts) {
    return new Registered(
        contested.stream().filter(each -> accounts.contains(each.account())).toList());
  }
}
