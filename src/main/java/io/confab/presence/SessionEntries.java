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

/// Enters sessions in the registry and removes them. While that is done for some, all others who
/// come or go wait, and go there together: so a crowd costs few commands. A session that goes is
/// removed after it was entered. For any thread.
final class SessionEntries {
  /// Changes that may wait, 400 bytes each with who asks: 16 MB.
  private static final int MOST_WAITING = 40_000;

  private static final int AT_ONCE = 500;

  private final Function<List<Connection>, Future<Entered>> register;
  private final Function<List<Connection>, Future<Void>> unregister;
  private final BatchedRead<Change, Entered> changes;

  private record Change(Connection connection, boolean enters) {}

  /// @param register enters sessions of any accounts
  /// @param unregister removes those that still have their devices; called after it, its commands
  ///     reach an entry later
  SessionEntries(
      Function<List<Connection>, Future<Entered>> register,
      Function<List<Connection>, Future<Void>> unregister) {
    this.register = register;
    this.unregister = unregister;
    this.changes = new BatchedRead<>(MOST_WAITING, AT_ONCE, this::make);
  }

  /// Answers what became of the devices of these accounts. Refusals: `unavailable`, when too many
  /// wait, too.
  Future<Registered> enter(List<Connection> connections) {
    Set<AccountId> accounts =
        connections.stream().map(Connection::account).collect(Collectors.toSet());
    return changes
        .read(connections.stream().map(each -> new Change(each, true)).toList())
        .compose(all -> all.of(accounts));
  }

  /// Done when that was tried. Refusals: `unavailable` when too many wait.
  Future<Void> remove(Connection connection) {
    return changes.read(List.of(new Change(connection, false))).mapEmpty();
  }

  private Future<Entered> make(List<Change> all) {
    List<Connection> come = connections(all, true);
    List<Connection> go = connections(all, false);
    Future<Entered> entered =
        come.isEmpty() ? Future.succeededFuture(Entered.NONE) : register.apply(come);
    Future<Void> removed = go.isEmpty() ? Future.succeededFuture() : unregister.apply(go);
    return Future.join(entered, removed).transform(_ -> entered);
  }

  private static List<Connection> connections(List<Change> all, boolean enter) {
    return all.stream().filter(change -> change.enters() == enter).map(Change::connection).toList();
  }
}
