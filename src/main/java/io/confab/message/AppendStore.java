package io.confab.message;

import io.confab.postgres.Database;
import io.confab.postgres.FailureKind;
import io.confab.protocol.Epoch;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A writer's connection to PostgreSQL.
///
/// Its plans are made once and probe indexes only: a plan that was made while the tables were
/// empty would otherwise read them whole when they are large.
final class AppendStore implements MessageLog {
  private static final Map<String, String> PLANNING =
      Map.of(
          "plan_cache_mode", "force_generic_plan",
          "enable_seqscan", "off",
          "enable_material", "off",
          "enable_hashjoin", "off",
          "enable_mergejoin", "off");

  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final String IDENTIFY =
      """
      SELECT i.epoch, a.pid, a.backend_start FROM instance i, pg_stat_activity a
       WHERE a.pid = pg_backend_pid()""";

  /// A number of a process may be given again, with its start it is unique.
  private static final String END_BACKEND =
      """
      SELECT pg_terminate_backend(a.pid, 2000) FROM pg_stat_activity a
       WHERE a.pid = $1 AND a.backend_start = $2""";

  private static final String APPEND =
      "SELECT * FROM append_messages($1, $2, $3, $4, $5, $6, $7, $8, $9)";

  private static final String LOCK_ROOMS =
      """
      SELECT 1 FROM room_position p WHERE p.room_id = ANY ($1)
       ORDER BY p.room_id FOR NO KEY UPDATE""";

  private static final String FIND =
      """
      SELECT CASE WHEN m.seq IS NULL THEN 'not_found'
                  WHEN k.room_id = d.room_id AND k.content_hash = d.content_hash THEN 'stored'
                  ELSE 'mismatch' END,
             m.seq, m.rev, (extract(epoch FROM m.ts) * 1000)::bigint
        FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::bigint[])
               WITH ORDINALITY AS d (room_id, sender_id, client_key, content_hash, i)
        LEFT JOIN LATERAL (SELECT * FROM send_key k
                            WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key
                            OFFSET 0) k ON true
        LEFT JOIN LATERAL (SELECT m.seq, m.rev, m.ts FROM message m
                            WHERE m.room_id = k.room_id AND m.seq = k.seq
                            OFFSET 0) m ON true
       ORDER BY d.i""";

  private final Database database;
  private final Duration patience;
  private @Nullable PgConnection connection;
  private Backend backend = Backend.NONE;

  /// The server's side of a connection.
  private record Backend(Epoch epoch, int pid, OffsetDateTime start) {
    static final Backend NONE = new Backend(new Epoch(0), 0, OffsetDateTime.MIN);
  }

  /// @param statementTimeout the server's: a call that takes longer by a second is given up
  AppendStore(Database database, Duration statementTimeout) {
    this.database = database;
    this.patience = statementTimeout.plus(GRACE);
  }

  @Override
  public Future<Void> connect() {
    drop();
    Future<PgConnection> opening = database.connect(PLANNING);
    return bounded(opening)
        .onFailure(_ -> opening.onSuccess(PgConnection::close))
        .compose(opened -> bounded(take(opened)).onFailure(_ -> opened.close()));
  }

  private Future<Void> take(PgConnection opened) {
    return endFormer(opened)
        .compose(_ -> opened.preparedQuery(IDENTIFY).execute())
        .map(
            rows -> {
              Row row = rows.iterator().next();
              backend =
                  new Backend(
                      new Epoch(row.getLong(0)), row.getInteger(1), row.getOffsetDateTime(2));
              connection = opened;
              opened.closeHandler(_ -> forget(opened));
              return null;
            });
  }

  /// What the former connection was told to do may still be under way, or not even begun.
  private Future<Void> endFormer(PgConnection opened) {
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

  @Override
  public boolean connected() {
    return connection != null;
  }

  @Override
  public Epoch epoch() {
    return backend.epoch();
  }

  @Override
  public Future<List<Outcome>> append(List<Draft> group) {
    return call(APPEND, DraftColumns.of(group).everything()).map(AppendStore::appended);
  }

  @Override
  public Future<List<Outcome>> find(List<Draft> group) {
    DraftColumns columns = DraftColumns.of(group);
    return call(LOCK_ROOMS, columns.rooms())
        .compose(_ -> call(FIND, columns.identities()))
        .map(AppendStore::found);
  }

  @Override
  public Future<Void> close() {
    PgConnection open = connection;
    connection = null;
    return open == null ? Future.succeededFuture() : bounded(open.close());
  }

  private Future<RowSet<Row>> call(String sql, Tuple arguments) {
    PgConnection open = connection;
    if (open == null) {
      return Future.failedFuture(new ClosedChannelException());
    }
    return bounded(open.preparedQuery(sql).execute(arguments))
        .onFailure(
            failure -> {
              if (FailureKind.of(failure) == FailureKind.LOST) {
                forget(open);
                open.close();
              }
            });
  }

  private <T> Future<T> bounded(Future<T> call) {
    return call.timeout(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void forget(PgConnection lost) {
    if (connection == lost) {
      connection = null;
    }
  }

  private void drop() {
    PgConnection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  private static List<Outcome> appended(RowSet<Row> rows) {
    Row row = rows.iterator().next();
    String[] outcomes = row.getArrayOfStrings(0);
    Long[] seqs = row.getArrayOfLongs(1);
    Long[] revs = row.getArrayOfLongs(2);
    Long[] times = row.getArrayOfLongs(3);
    List<Outcome> answers = new ArrayList<>(outcomes.length);
    for (int i = 0; i < outcomes.length; i++) {
      answers.add(Outcome.of(outcomes[i], number(seqs[i]), number(revs[i]), number(times[i])));
    }
    return answers;
  }

  private static List<Outcome> found(RowSet<Row> rows) {
    List<Outcome> answers = new ArrayList<>(rows.size());
    for (Row row : rows) {
      answers.add(
          Outcome.of(
              row.getString(0),
              number(row.getLong(1)),
              number(row.getLong(2)),
              number(row.getLong(3))));
    }
    return answers;
  }

  private static long number(@Nullable Long value) {
    return value == null ? 0 : value;
  }
}
