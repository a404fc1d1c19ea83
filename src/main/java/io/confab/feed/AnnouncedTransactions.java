package io.confab.feed;

import io.confab.postgres.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.function.Function;

/// Runs transactions, and announces what they committed: the events of a room, then the signals.
///
/// When the answer to the commit does not come, the transaction may have been committed all the
/// same: then everybody concerned is made to look. Nobody waits for that; the caller gets the
/// failure as ever.
public final class AnnouncedTransactions {
  private final Database database;
  private final Announcer announcer;

  public AnnouncedTransactions(Database database, Announcer announcer) {
    this.database = database;
    this.announcer = announcer;
  }

  /// What a transaction answers and did.
  ///
  /// @param events of one room, by rev; may be empty
  /// @param signals for the accounts concerned
  public record Outcome<T>(T answer, List<Event> events, List<AccountSignal> signals) {
    public static <T> Outcome<T> quiet(T answer) {
      return new Outcome<>(answer, List.of(), List.of());
    }

    public static <T> Outcome<T> signalling(T answer, AccountSignal signal) {
      return new Outcome<>(answer, List.of(), List.of(signal));
    }
  }

  /// Does `work` in one transaction, as [Database#transaction] does.
  public <T> Future<T> run(Function<SqlConnection, Future<Outcome<T>>> work) {
    return database
        .transaction(work, this::inDoubt)
        .map(
            outcome -> {
              announce(outcome);
              return outcome.answer();
            });
  }

  private void announce(Outcome<?> outcome) {
    outcome.events().forEach(event -> database.epoch().saw(event.epoch()));
    if (!outcome.events().isEmpty()) {
      announcer.announce(outcome.events());
    }
    if (!outcome.signals().isEmpty()) {
      announcer.signal(outcome.signals());
    }
  }

  private void inDoubt(Outcome<?> outcome) {
    if (!outcome.events().isEmpty()) {
      announcer.inDoubt(outcome.events().getFirst().room(), outcome.signals());
    } else if (!outcome.signals().isEmpty()) {
      announcer.inDoubt(outcome.signals());
    }
  }
}
