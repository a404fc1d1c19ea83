package io.confab.feed;

import io.confab.postgres.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.function.Function;

/// Runs transactions of accounts, and gives the signals that are due when they are committed.
///
/// When the answer to the commit is lost, the transaction may have been committed all the same:
/// then the signals are given as soon as it is over. Nobody waits for that; the caller gets the
/// failure as ever.
public final class AnnouncedTransactions {
  private final Database database;
  private final Announcer announcer;

  public AnnouncedTransactions(Database database, Announcer announcer) {
    this.database = database;
    this.announcer = announcer;
  }

  /// What a transaction answers, and the signals for the accounts concerned.
  public record Outcome<T>(T answer, List<AccountSignal> signals) {
    public static <T> Outcome<T> quiet(T answer) {
      return new Outcome<>(answer, List.of());
    }

    public static <T> Outcome<T> signalling(T answer, AccountSignal signal) {
      return new Outcome<>(answer, List.of(signal));
    }
  }

  /// Does `work` in one transaction, as [Database#transaction] does.
  public <T> Future<T> run(Function<SqlConnection, Future<Outcome<T>>> work) {
    return database.transaction(work, this::signal).onSuccess(this::signal).map(Outcome::answer);
  }

  private Future<Void> signal(Outcome<?> outcome) {
    if (!outcome.signals().isEmpty()) {
      announcer.signal(outcome.signals());
    }
    return Future.succeededFuture();
  }
}
