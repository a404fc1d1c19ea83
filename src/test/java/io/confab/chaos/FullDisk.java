package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.postgres.PostgresUrl;
import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/// PostgreSQL refuses to store messages and their changes as it does when its disk is full, by a
/// trigger: what a disk without room does besides needs root ([SmallDisk]).
record FullDisk(PostgresUrl url) {
  private static final String FUNCTION =
      """
      CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
      END $$
      """;

  void fill() {
    execute(
        FUNCTION,
        "CREATE OR REPLACE TRIGGER full_disk BEFORE INSERT OR UPDATE ON message"
            + " FOR EACH STATEMENT EXECUTE FUNCTION full_disk()");
  }

  void free() {
    execute("DROP TRIGGER IF EXISTS full_disk ON message");
  }

  /// Again while PostgreSQL is on its way back from the fault before.
  private void execute(String... commands) {
    await().ignoreExceptions().untilAsserted(() -> tried(commands));
  }

  private void tried(String... commands) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      for (String command : commands) {
        statement.execute(command);
      }
    }
  }
}
