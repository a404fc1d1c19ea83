package io.confab.presence;

import io.confab.postgres.BatchedRead;
import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Registered;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Enters sessions in the registry: while some are being entered, all others who come wait, and are
/// entered together. So a crowd that comes back after an outage costs few commands. For any
/// thread.
final class SessionEntries {
  /// Sessions that may wait, 200 bytes each: 4 MB.
  private static final int MOST_WAITING = 20_000;

  private static final int AT_ONCE = 500;

  private final BatchedRead<Connection, Registered> entries;

  /// @param register enters sessions of any accounts
  SessionEntries(Function<List<Connection>, Future<Registered>> register) {
    this.entries = new BatchedRead<>(MOST_WAITING, AT_ONCE, register);
  }

  /// Answers what became of the devices of these accounts. Refusals: `unavailable` when too many
  /// wait.
  Future<Registered> enter(List<Connection> connections) {
    Set<AccountId> accounts =
        connections.stream().map(Connection::account).collect(Collectors.toSet());
    return entries.read(connections).map(all -> only(accounts, all));
  }

  private static Registered only(Set<AccountId> accounts, Registered all) {
    return new Registered(
        all.contested().stream().filter(each -> accounts.contains(each.account())).toList());
  }
}
