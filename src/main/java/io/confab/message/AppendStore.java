package io.confab.message;

import io.confab.feed.Event;
import io.confab.feed.MessageColumns;
import io.confab.postgres.Database;
import io.confab.postgres.WriterConnection;
import io.confab.protocol.Epoch;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The log in PostgreSQL, over a writer's own connection.
final class AppendStore implements MessageLog {
  private static final String APPEND =
      "SELECT * FROM append_messages($1, $2, $3, $4, $5, $6, $7, $8, $9)";

  private static final String LOCK_ROOMS =
      """
      SELECT 1 FROM room_position p WHERE p.room_id = ANY ($1)
       ORDER BY p.room_id FOR NO KEY UPDATE\
      """;

  private static final String FIND =
      """
      SELECT m.*
        FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::bigint[])
               WITH ORDINALITY AS d (room_id, sender_id, client_key, content_hash, i)
       CROSS JOIN LATERAL (SELECT * FROM send_key k
                            WHERE k.sender_id = d.sender_id AND k.client_key = d.client_key
                            OFFSET 0) k
       CROSS JOIN LATERAL (SELECT * FROM message m
                            WHERE m.room_id = k.room_id AND m.seq = k.seq
                            OFFSET 0) m
       WHERE k.room_id = d.room_id AND k.content_hash = d.content_hash
       ORDER BY d.i\
      """;

  private final WriterConnection connection;
  private final ChangeStore changes;

  AppendStore(Database database) {
    this.connection = new WriterConnection(database);
    this.changes = new ChangeStore(connection);
  }

  @Override
  public Future<Void> connect() {
    return connection.open();
  }

  @Override
  public boolean connected() {
    return connection.isOpen();
  }

  @Override
  public Epoch epoch() {
    return connection.epoch();
  }

  @Override
  public Future<List<Outcome>> append(List<Draft> group) {
    return connection.call(APPEND, DraftColumns.of(group).everything()).map(AppendStore::outcomes);
  }

  @Override
  public Future<ChangeOutcome> change(MessageChange change) {
    return changes.make(change);
  }

  @Override
  public Future<List<Event>> find(List<Draft> group) {
    DraftColumns columns = DraftColumns.of(group);
    return connection
        .call(LOCK_ROOMS, columns.rooms())
        .compose(_ -> connection.call(FIND, columns.identities()))
        .map(
            rows ->
                rows.stream().map(row -> Event.of(MessageColumns.message(row), epoch())).toList());
  }

  @Override
  public Future<List<Event>> find(MessageChange change) {
    Long[] room = {change.roomId().value()};
    return connection
        .call(LOCK_ROOMS, Tuple.tuple().addValue(room))
        .compose(_ -> changes.find(change))
        .map(found -> found.stream().map(made -> made.event(change, epoch())).toList());
  }

  @Override
  public Future<Void> close() {
    return connection.close();
  }

  private static List<Outcome> outcomes(RowSet<Row> rows) {
    Row row = rows.iterator().next();
    String[] outcomes = row.getArrayOfStrings(0);
    Long[] seqs = row.getArrayOfLongs(1);
    Long[] revs = row.getArrayOfLongs(2);
    Long[] times = row.getArrayOfLongs(3);
    Long @Nullable [] waits = row.getArrayOfLongs(4);
    List<Outcome> answers = new ArrayList<>(outcomes.length);
    for (int i = 0; i < outcomes.length; i++) {
      long waitMs = waits == null ? 0 : number(waits[i]);
      answers.add(
          Outcome.of(outcomes[i], number(seqs[i]), number(revs[i]), number(times[i]), waitMs));
    }
    return answers;
  }

  private static long number(@Nullable Long value) {
    return value == null ? 0 : value;
  }
}
