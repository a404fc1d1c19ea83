package io.confab.postgres;

import io.confab.protocol.Epoch;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A writer's connection to PostgreSQL, which can be opened anew when it is lost. When it is
/// opened the epoch is looked at, so that no number is given out under one that is over.
public final class WriterConnection {
  private static final String IDENTIFY =
      """
      SELECT a.pid, a.backend_start FROM pg_stat_activity a WHERE a.pid = pg_backend_pid()\
      """;

  /// The number of a process may be given again; with the time of its start it is unique.
  private static final String END_BACKEND =
      """
      SELECT pg_terminate_backend(a.pid, 2000) FROM pg_stat_activity a
       WHERE a.pid = $1 AND a.backend_start = $2\
      """;

  private final Database database;
  private final Map<String, String> settings;
  private @Nullable SqlConnection connection;
  private Backend backend = Backend.NONE;

  /// The server's side of a connection.
  private record Backend(Epoch epoch, int pid, OffsetDateTime start) {
    static final Backend NONE = new Backend(new Epoch(0), 0, OffsetDateTime.MIN);
  }

  /// @param lockTimeout how long a call waits for a lock
  public WriterConnection(Database database, Duration lockTimeout) {
    this.database = database;
    this.settings = Map.of("lock_timeout", lockTimeout.toMillis() + "ms");
  }

  /// Opens a connection in place of the former one, whose last call has ended for good,
  /// committed or not, when this completes.
  public Future<Void> open() {
    drop();
    return database
        .connect(settings)
        .compose(
            opened ->
                database
                    .bounded(opened, () -> take(opened))
                    .onFailure(_ -> Connections.cut(opened)));
  }

  private Future<Void> take(SqlConnection opened) {
    return endFormer(opened)
        .compose(_ -> database.epochs().look(opened))
        .compose(epoch -> ServerCheck.require(opened).map(epoch))
        .compose(epoch -> identify(opened, epoch))
        .map(
            identified -> {
              backend = identified;
              connection = opened;
              opened.closeHandler(_ -> forget(opened));
              return null;
            });
  }

  private static Future<Backend> identify(SqlConnection opened, Epoch epoch) {
    return opened
        .preparedQuery(IDENTIFY)
        .execute()
        .map(
            rows -> {
              Row row = rows.iterator().next();
              return new Backend(epoch, row.getInteger(0), row.getOffsetDateTime(1));
            });
  }

  /// The last call of the former connection may still be under way, or not even begun.
  private Future<Void> endFormer(SqlConnection opened) {
    if (backend.pid() == 0) {
      return Future.succeededFuture();
    }
    return opened
        .preparedQuery(END_BACKEND)
        .execute(Tuple.of(backend.pid(), backend.start()))
        .compose(
            rows -> {
              for (Row row : rows) {
                if (!row.getBoolean(0)) {
                  return Future.failedFuture("the former backend does not end");
                }
              }
              return Future.succeededFuture();
            });
  }

  /// Whether it may be used: not one that was opened before the epoch was raised.
  public boolean isOpen() {
    return connection != null && backend.epoch().equals(database.epoch().current());
  }

  /// The incarnation of the database that it leads to.
  public Epoch epoch() {
    return backend.epoch();
  }

  /// Executes a prepared statement, in a transaction of its own. After a failure of the kind
  /// `LOST` the connection is not open any more.
  public Future<RowSet<Row>> call(String sql, Tuple arguments) {
    SqlConnection open = connection;
    if (open == null) {
      return Future.failedFuture(new ClosedChannelException());
    }
    return database
        .bounded(open, () -> open.preparedQuery(sql).execute(arguments))
        .onFailure(
            failure -> {
              if (FailureKind.of(failure) == FailureKind.LOST) {
                forget(open);
                Connections.cut(open);
              }
            });
  }

  public Future<Void> close() {
    SqlConnection open = connection;
    connection = null;
    return open == null ? Future.succeededFuture() : database.bounded(open, open::close);
  }

  private void forget(SqlConnection lost) {
    if (connection == lost) {
      connection = null;
    }
  }

  private void drop() {
    SqlConnection open = connection;
    connection = null;
    if (open != null) {
      Connections.cut(open);
    }
  }
}
