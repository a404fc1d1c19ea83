package io.confab.room;

import io.confab.feed.AccountNews;
import io.confab.postgres.Database;
import io.confab.postgres.FailureKind;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Runs transactions that change a room, and tells what they committed.
///
/// When the answer to the commit does not come, it may have been committed all the same: then
/// everybody is told to look. Nobody waits for that; the caller hears of the failure as ever.
final class RoomTransactions {
  /// A commit that takes longer is doubted, for its connection may hang for ever.
  private static final long COMMIT_MS = 1_000;

  private final Database database;
  private final RoomNews news;

  RoomTransactions(Database database, RoomNews news) {
    this.database = database;
    this.news = news;
  }

  /// What a transaction answers and did.
  ///
  /// @param changes by rev; may be empty
  /// @param rings for those who came or went
  record Outcome<T>(T answer, RoomId room, List<NumberedChange> changes, List<AccountNews> rings) {

    /// Rings for whom the changes name.
    static <T> Outcome<T> of(T answer, RoomId room, List<NumberedChange> changes) {
      return new Outcome<>(answer, room, changes, RoomNews.rings(changes));
    }

    static <T> Outcome<T> unchanged(T answer, RoomId room) {
      return new Outcome<>(answer, room, List.of(), List.of());
    }
  }

  /// Does `work` in one transaction, as [Database#transaction] does.
  <T> Future<T> run(Function<SqlConnection, Future<Outcome<T>>> work) {
    Promise<Outcome<T>> worked = Promise.promise();
    Future<Outcome<T>> committed =
        database.transaction(transaction -> work.apply(transaction).onSuccess(worked::tryComplete));
    worked
        .future()
        .onSuccess(
            outcome ->
                committed
                    .timeout(COMMIT_MS, TimeUnit.MILLISECONDS)
                    .onFailure(failure -> doubt(outcome, failure)));
    return committed.map(
        outcome -> {
          news.tell(outcome.changes(), outcome.rings());
          return outcome.answer();
        });
  }

  private void doubt(Outcome<?> outcome, Throwable failure) {
    if (FailureKind.of(failure) == FailureKind.LOST && !outcome.changes().isEmpty()) {
      news.doubt(outcome.room(), outcome.rings());
    }
  }
}
