package io.confab.account;

import io.confab.feed.AccountSignal;
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
  record Outcome<T>(T answer, List<AccountSignal> signals) {
    static <T> Outcome<T> quiet(T answer) {
      return new Outcome<>(answer, List.of());
    }

    static <T> Outcome<T> signalling(T answer, AccountSignal signal) {
      return new Outcome<>(answer, List.of(signal));
    }
  }

  /// Does `work` in one transaction, as [Database#transaction] does.
  <T> Future<T> run(Function<SqlConnection, Future<Outcome<T>>> work) {
    Future<Outcome<T>> committed = database.transaction(work, this::inDoubt);
    return committed.map(
        outcome -> {
          if (!outcome.signals().isEmpty()) {
            announcer.signal(outcome.signals());
          }
          return outcome.answer();
        });
  }

  private void inDoubt(Outcome<?> outcome) {
    if (!outcome.signals().isEmpty()) {
      announcer.inDoubt(outcome.signals());
    }
  }
}
