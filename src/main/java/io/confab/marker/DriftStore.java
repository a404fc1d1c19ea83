package io.confab.marker;

import io.confab.postgres.Database;
import io.confab.postgres.FailureKind;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Compares unread counts with the messages themselves, some accounts at a time.
public final class DriftStore {
  private static final int FEWER = 10;

  private final Database database;

  public DriftStore(Database database) {
    this.database = database;
  }

  /// What was compared.
  ///
  /// @param markers of those accounts
  /// @param differing how many of them count wrongly: there should be none
  /// @param last the account to go on after; null at the end
  /// @param uncompared accounts with more unread than can be counted in the time of a statement
  public record Compared(
      long accounts, long markers, long differing, @Nullable Long last, long uncompared) {}

  /// The next accounts, all of one snapshot. Reads what they have not read: fewer of them, and one
  /// at last, where that takes too long.
  public Future<Compared> compare(long after, int most) {
    return read(after, most)
        .recover(
            failure -> {
              if (!FailureKind.tookTooLong(failure)) {
                return Future.failedFuture(failure);
              }
              return most > 1 ? compare(after, Math.max(1, most / FEWER)) : passOver(after);
            });
  }

  /// Some account after which to begin; any of the range in which all are.
  Future<Long> somewhere(RandomGenerator random) {
    return database
        .client()
        .query("SELECT coalesce(min(account_id), 0), coalesce(max(account_id), 0) FROM account")
        .execute()
        .map(
            rows -> {
              Row ends = rows.iterator().next();
              long first = ends.getLong(0) - 1;
              return random.nextLong(first, Math.max(first + 1, ends.getLong(1)));
            });
  }

  private Future<Compared> passOver(long after) {
    return database
        .client()
        .preparedQuery("SELECT min(account_id) AS last FROM account WHERE account_id > $1")
        .execute(Tuple.of(after))
        .map(rows -> new Compared(1, 0, 0, rows.iterator().next().getLong("last"), 1));
  }

  private Future<Compared> read(long after, int most) {
    return database
        .client()
        .preparedQuery("SELECT * FROM unread_drift($1, $2)")
        .execute(Tuple.of(after, most))
        .map(rows -> compared(rows.iterator().next()));
  }

  private static Compared compared(Row row) {
    return new Compared(
        row.getLong("accounts"),
        row.getLong("markers"),
        row.getLong("differing"),
        row.getLong("last_account"),
        0);
  }
}
