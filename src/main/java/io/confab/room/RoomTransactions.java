package io.confab.room;

import io.confab.feed.AccountSignal;
import io.confab.postgres.Database;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.function.Function;

/// Runs transactions that change a room, and tells what they committed.
///
/// When the answer to the commit does not come, it may have been committed all the same: then
/// everybody is told to look. Nobody waits for that; the caller hears of the failure as ever.
final class RoomTransactions {
  private final Database database;
  private final RoomAnnouncements announcements;

  RoomTransactions(Database database, RoomAnnouncements announcements) {
    this.database = database;
    this.announcements = announcements;
  }

  /// What a transaction answers and did.
  ///
  /// @param changes by rev; may be empty
  /// @param rings for those who came or went
  record Outcome<T>(
      T answer, RoomId room, List<NumberedChange> changes, List<AccountSignal> signals) {

    /// Rings for whom the changes name.
    static <T> Outcome<T> of(T answer, RoomId room, List<NumberedChange> changes) {
      return new Outcome<>(answer, room, changes, RoomAnnouncements.signals(changes));
    }

    static <T> Outcome<T> unchanged(T answer, RoomId room) {
      return new Outcome<>(answer, room, List.of(), List.of());
    }
  }

  /// Does `work` in one transaction, as [Database#transaction] does.
  <T> Future<T> run(Function<SqlConnection, Future<Outcome<T>>> work) {
    Future<Outcome<T>> committed = database.transaction(work, this::inDoubt);
    return committed.map(
        outcome -> {
          announcements.tell(outcome.changes(), outcome.signals());
          return outcome.answer();
        });
  }

  private void inDoubt(Outcome<?> outcome) {
    if (!outcome.changes().isEmpty()) {
      announcements.inDoubt(outcome.room(), outcome.signals());
    }
  }
}
