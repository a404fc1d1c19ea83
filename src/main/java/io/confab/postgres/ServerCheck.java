package io.confab.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// Looks, before anything else, whether a PostgreSQL keeps what it has committed: a message that
/// was acknowledged must be there after a crash, and must have been written where others read.
/// Blocks; never called on an event loop.
public final class ServerCheck {
  private static final int OLDEST = 150_000;
  private static final String ASK =
      """
      SELECT current_setting('server_version_num')::int AS version,
             current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
             current_setting('synchronous_commit') AS commits, pg_is_in_recovery() AS standby\
      """;

  private record Answer(int version, String fsync, String pages, String commits, boolean standby) {}

  private ServerCheck() {}

  /// @throws UnusableDatabaseException naming everything that is wrong
  public static void require(PostgresUrl url) {
    List<String> faults;
    try (Connection connection = url.connect(PostgresUrl.QUESTION);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(ASK)) {
      row.next();
      faults =
          faults(
              new Answer(
                  row.getInt(1),
                  row.getString(2),
                  row.getString(3),
                  row.getString(4),
                  row.getBoolean(5)));
    } catch (SQLException failure) {
      throw UnusableDatabaseException.of(url, failure);
    }
    requireNone(faults);
  }

  /// The same over a connection: settings may have changed since the start.
  static Future<Void> require(SqlClient connection) {
    return connection
        .query(ASK)
        .execute()
        .map(
            rows -> {
              Row row = rows.iterator().next();
              requireNone(
                  faults(
                      new Answer(
                          row.getInteger(0),
                          row.getString(1),
                          row.getString(2),
                          row.getString(3),
                          row.getBoolean(4))));
              return null;
            });
  }

  private static void requireNone(List<String> faults) {
    if (!faults.isEmpty()) {
      throw new UnusableDatabaseException(
          "This PostgreSQL would lose acknowledged messages (postgres.url): "
              + String.join("; ", faults));
    }
  }

  private static List<String> faults(Answer row) {
    List<String> faults = new ArrayList<>();
    if (row.version() < OLDEST) {
      faults.add("it is older than 15");
    }
    if (row.fsync().equals("off")) {
      faults.add("fsync is off; set it on");
    }
    if (row.pages().equals("off")) {
      faults.add("full_page_writes is off; set it on");
    }
    if (row.commits().equals("off")) {
      faults.add(
          "synchronous_commit is off for this user and database; set it on, local, remote_write or"
              + " remote_apply");
    }
    if (row.standby()) {
      faults.add("it is a standby; name the primary");
    }
    return faults;
  }
}
