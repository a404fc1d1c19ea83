package io.confab.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
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
      SELECT current_setting('server_version_num')::int, current_setting('fsync'),
             current_setting('full_page_writes'), current_setting('synchronous_commit'),
             pg_is_in_recovery()\
      """;

  private ServerCheck() {}

  /// @throws UnusableDatabaseException naming everything that is wrong
  public static void require(PostgresUrl url) {
    List<String> faults;
    try (Connection connection =
            DriverManager.getConnection(url.jdbc(), url.user(), url.password());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(ASK)) {
      row.next();
      faults = faults(row);
    } catch (SQLException failure) {
      throw new UnusableDatabaseException(
          "PostgreSQL cannot be used (postgres.url): " + failure.getMessage(), failure);
    }
    if (!faults.isEmpty()) {
      throw new UnusableDatabaseException(
          "This PostgreSQL would lose acknowledged messages (postgres.url): "
              + String.join("; ", faults));
    }
  }

  private static List<String> faults(ResultSet row) throws SQLException {
    List<String> faults = new ArrayList<>();
    if (row.getInt(1) < OLDEST) {
      faults.add("it is older than 15");
    }
    if (row.getString(2).equals("off")) {
      faults.add("fsync is off; set it on");
    }
    if (row.getString(3).equals("off")) {
      faults.add("full_page_writes is off; set it on");
    }
    if (row.getString(4).equals("off")) {
      faults.add(
          "synchronous_commit is off for this user and database; set it on, local, remote_write or"
              + " remote_apply");
    }
    if (row.getBoolean(5)) {
      faults.add("it is a standby; name the primary");
    }
    return faults;
  }
}
