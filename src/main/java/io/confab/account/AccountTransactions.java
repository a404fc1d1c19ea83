package io.confab.account;

import io.confab.feed.AccountNews;
import io.confab.feed.Announcer;
import io.confab.postgres.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.function.Function;

/// Runs transactions that may end sign-ins, and rings for whom they did.
///
/// When the answer to the commit does not come, it may have been committed all the same: then it
/// is rung as well, now and once more when the commit must be over. Nobody waits for that; the
/// caller hears of the failure as ever.
public final class AccountTransactions {
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
    Future<Outcome<T>> committed = database.transaction(work, this::doubt);
    return committed.map(
        outcome -> {
          if (!outcome.rings().isEmpty()) {
            announcer.ring(outcome.rings());
          }
          return outcome.answer();
        });
  }

  private void doubt(Outcome<?> outcome) {
    if (!outcome.rings().isEmpty()) {
      announcer.doubt(outcome.rings());
    }
  }
}
