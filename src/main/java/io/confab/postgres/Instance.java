package io.confab.postgres;

import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// What the database says of itself: its incarnation and the keys that all nodes share.
public record Instance(DatabaseEpoch epoch, byte[] publishKey, byte[] refreshKey) {

  /// The first of the keys, for what comes before there is an event loop. Blocks.
  ///
  /// @throws UnusableDatabaseException where PostgreSQL does not answer
  public static byte[] publishKey(PostgresUrl url) {
    try (Connection connection =
            DriverManager.getConnection(url.jdbc(), url.user(), url.password());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT publish_key FROM instance")) {
      row.next();
      return row.getBytes(1);
    } catch (SQLException failure) {
      throw new UnusableDatabaseException(
          "PostgreSQL cannot be used (postgres.url): " + failure.getMessage(), failure);
    }
  }

  /// Looks which incarnation it is, then reads the keys.
  public static Future<Instance> read(Database database) {
    return database
        .epochs()
        .look()
        .compose(
            _ -> database.client().query("SELECT publish_key, refresh_key FROM instance").execute())
        .map(
            rows -> {
              var row = rows.iterator().next();
              return new Instance(
                  database.epoch(),
                  row.getBuffer("publish_key").getBytes(),
                  row.getBuffer("refresh_key").getBytes());
            });
  }
}
