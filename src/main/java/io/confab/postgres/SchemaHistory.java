package io.confab.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.zip.CRC32;

/// What Flyway has noted in a database, read without Flyway, whose loading takes longer than the
/// rest of a start. The newest version names the state of all functions (ADR 0024), so it alone
/// says whether there is anything to do.
final class SchemaHistory {
  private static final String NEWEST =
      """
      SELECT script, checksum, (SELECT bool_and(success) FROM flyway_schema_history)
        FROM flyway_schema_history WHERE version IS NOT NULL ORDER BY installed_rank DESC LIMIT 1\
      """;

  private static final String NO_SUCH_TABLE = "42P01";

  private SchemaHistory() {}

  /// Whether this file of the jar, as it is, was the last version to be run. Otherwise Flyway has
  /// to look.
  static boolean endsWith(PostgresUrl url, String file) {
    try (Connection connection = url.connect(PostgresUrl.QUESTION);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(NEWEST)) {
      return row.next()
          && file.equals(row.getString(1))
          && checksum(file) == row.getInt(2)
          && row.getBoolean(3);
    } catch (SQLException failure) {
      if (NO_SUCH_TABLE.equals(failure.getSQLState())) {
        return false;
      }
      throw UnusableDatabaseException.of(url, failure);
    }
  }

  /// As Flyway reckons it: over the lines without their ends.
  private static int checksum(String file) {
    CRC32 sum = new CRC32();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    SchemaHistory.class.getResourceAsStream("migrations/" + file)),
                UTF_8))) {
      lines.lines().forEach(line -> sum.update(line.getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return (int) sum.getValue();
  }
}
