package io.confab.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/// What the database says of itself: its incarnation and the keys that all nodes share.
public record Instance(DatabaseEpoch epoch, byte[] publishKey, byte[] refreshKey) {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(250);

  /// The first of the keys, for what comes before there is an event loop. Blocks.
  ///
  /// @throws UnusableDatabaseException where PostgreSQL does not answer
  public static byte[] publishKey(PostgresUrl url) {
    try (Connection connection = url.connect(PostgresUrl.QUESTION);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT publish_key FROM instance")) {
      row.next();
      return row.getBytes(1);
    } catch (SQLException failure) {
      throw UnusableDatabaseException.of(url, failure);
    }
  }

  /// As [#read], tried again for a minute while PostgreSQL is away or busy, as at a start on a
  /// machine that has much to do.
  public static Future<Instance> readPatiently(Database database, Vertx vertx) {
    return readUntil(database, vertx, System.nanoTime() + PATIENCE.toNanos());
  }

  private static Future<Instance> readUntil(Database database, Vertx vertx, long end) {
    return read(database)
        .recover(
            failure ->
                FailureKind.of(failure) == FailureKind.FAULT || System.nanoTime() - end > 0
                    ? Future.failedFuture(UnusableDatabaseException.of(failure))
                    : vertx.timer(PAUSE.toMillis()).compose(_ -> readUntil(database, vertx, end)));
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
