package io.confab.account;

import io.confab.feed.AccountNews;
import io.confab.feed.Announcer;
import io.confab.postgres.Database;
import io.confab.postgres.FailureKind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Runs transactions that may end sign-ins, and rings for whom they did.
///
/// When the answer to the commit does not come, it may have been committed all the same: then it
/// is rung as well, now and once more when the commit must be over. Nobody waits for that; the
/// caller hears of the failure as ever.
public final class AccountTransactions {
  /// A commit that takes longer is doubted, for its connection may hang for ever.
  private static final long COMMIT_MS = 1_000;

  private final Database database;
  private final Announcer announcer;

  public AccountTransactions(Database database, Announcer announcer) {
    this.database = database;
    this.announcer = announcer;
  }

  /// What a transaction answers, and for whom it is to be rung.
  record Outcome<T>(T answer, List<AccountNews> rings) {
    static <T> Outcome<T> quiet(T answer) {
      return new Outcome<>(answer, List.of());
    }

    static <T> Outcome<T> ringing(T answer, AccountNews ring) {
      return new Outcome<>(answer, List.of(ring));
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
          if (!outcome.rings().isEmpty()) {
            announcer.ring(outcome.rings());
          }
          return outcome.answer();
        });
  }

  private void doubt(Outcome<?> outcome, Throwable failure) {
    if (FailureKind.of(failure) == FailureKind.LOST && !outcome.rings().isEmpty()) {
      announcer.doubt(outcome.rings());
    }
  }
}
