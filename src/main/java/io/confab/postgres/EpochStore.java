package io.confab.postgres;

import io.confab.protocol.Epoch;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The epoch as the database stores it: table `instance`. What it answers is seen by the node's
/// [DatabaseEpoch]. For any thread.
public final class EpochStore {
  private static final Logger LOG = LoggerFactory.getLogger(EpochStore.class);
  private static final String LOOK = "SELECT current, identified FROM look_at_epoch($1)";
  private static final String RAISE =
      "UPDATE instance SET epoch = next_epoch(epoch, $1) RETURNING epoch";
  private static final String SHOW = "SELECT epoch, system_identifier, timeline FROM instance";

  private final SqlClient client;
  private final DatabaseEpoch epoch;
  private final AtomicBoolean looking = new AtomicBoolean();

  /// What is stored of the database.
  ///
  /// @param systemIdentifier and timeline: those of the server that was seen last; absent while
  ///     none was
  public record Stored(Epoch epoch, Optional<Long> systemIdentifier, Optional<Long> timeline) {}

  EpochStore(SqlClient client, DatabaseEpoch epoch) {
    this.client = client;
    this.epoch = epoch;
  }

  /// Compares the server with what is stored of it, raises the epoch where it is another one,
  /// and answers the epoch. Fails on a standby.
  public Future<Epoch> look() {
    return look(client);
  }

  /// The same over one connection.
  Future<Epoch> look(SqlClient connection) {
    return connection
        .preparedQuery(LOOK)
        .execute(Tuple.of(epoch.current().value()))
        .map(
            rows -> {
              Row row = rows.iterator().next();
              if (!row.getBoolean("identified")) {
                LOG.warn(
                    "PostgreSQL does not tell which server it is (pg_control_system,"
                        + " pg_walfile_name): after a fail-over or a restore"
                        + " `confab epoch bump` is needed");
              }
              return seen(row.getLong("current"));
            });
  }

  /// Raises the epoch, whatever the server is, and answers the new one.
  public Future<Epoch> raise() {
    return client
        .preparedQuery(RAISE)
        .execute(Tuple.of(epoch.current().value()))
        .map(rows -> seen(rows.iterator().next().getLong("epoch")));
  }

  /// The same in a copy that no node works on yet, in which there may be no schema. Blocks.
  public static void raise(PostgresUrl copy) throws SQLException {
    try (Connection connection = copy.connect(PostgresUrl.QUESTION);
        Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery("SELECT to_regclass('instance') IS NULL")) {
        row.next();
        if (row.getBoolean(1)) {
          return;
        }
      }
      statement.execute("UPDATE instance SET epoch = next_epoch(epoch, 0)");
    }
  }

  public Future<Stored> stored() {
    return client
        .query(SHOW)
        .execute()
        .map(
            rows -> {
              Row row = rows.iterator().next();
              return new Stored(
                  seen(row.getLong("epoch")),
                  Optional.ofNullable(row.getLong("system_identifier")),
                  Optional.ofNullable(row.getLong("timeline")));
            });
  }

  /// A read answered this epoch. If it is older than the node's, then the read was begun before a
  /// raise, or the database is an older copy: which of them is looked up.
  public void saw(Epoch read) {
    epoch.saw(read);
    if (epoch.current().isAfter(read) && looking.compareAndSet(false, true)) {
      look()
          .onFailure(failure -> LOG.warn("The epoch was not looked up: {}", failure.toString()))
          .onComplete(_ -> looking.set(false));
    }
  }

  /// The same of what a read found, each row of which has the epoch.
  public void sawIn(RowSet<Row> rows) {
    if (rows.size() > 0) {
      saw(new Epoch(rows.iterator().next().getLong("epoch")));
    }
  }

  private Epoch seen(long value) {
    Epoch seen = new Epoch(value);
    epoch.saw(seen);
    return seen;
  }
}
