package io.confab.message;

import io.confab.feed.MessageColumns;
import io.confab.message.ChangeOutcome.Known;
import io.confab.message.ChangeOutcome.Made;
import io.confab.message.MessageChange.Deletion;
import io.confab.message.MessageChange.Edit;
import io.confab.postgres.WriterConnection;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;

/// Edits and deletions in PostgreSQL, over a writer's connection.
final class ChangeStore {
  private static final String EDIT =
      """
      SELECT e.outcome, e.at_rev, e.at_ts, e.wait_ms, (e.stored).*
        FROM edit_message($1, $2, $3, $4, $5, $6) e\
      """;

  private static final String DELETE =
      """
      SELECT d.outcome, d.at_rev, d.at_ts, 0::bigint AS wait_ms, (d.stored).*
        FROM delete_message($1, $2, $3, $4) d\
      """;

  private static final String FIND_EDIT =
      """
      SELECT c.rev AS at_rev, c.ts AS at_ts, m.*
        FROM send_key k
        JOIN room_change c ON c.room_id = k.room_id AND c.rev = k.rev
        JOIN message m ON m.room_id = k.room_id AND m.seq = k.seq
       WHERE k.sender_id = $1 AND k.client_key = $2 AND k.content_hash = $3\
      """;

  /// The change of an earlier try, if there was one: announcing it again hurts nobody.
  private static final String FIND_DELETION =
      """
      SELECT m.changed_rev AS at_rev, m.deleted_at AS at_ts, m.*
        FROM message m WHERE m.room_id = $1 AND m.seq = $2 AND m.deleted_by = $3\
      """;

  private final WriterConnection connection;

  ChangeStore(WriterConnection connection) {
    this.connection = connection;
  }

  Future<ChangeOutcome> make(MessageChange change) {
    return switch (change) {
      case Edit edit -> connection.call(EDIT, arguments(edit)).map(ChangeStore::outcome);
      case Deletion deletion ->
          connection.call(DELETE, arguments(deletion)).map(ChangeStore::outcome);
    };
  }

  /// Looks a change up without making it.
  Future<Optional<Made>> find(MessageChange change) {
    return switch (change) {
      case Edit edit -> {
        SendKey key = SendKey.of(edit);
        yield connection
            .call(FIND_EDIT, Tuple.of(edit.caller().value(), key.clientKey(), key.contentHash()))
            .map(ChangeStore::found);
      }
      case Deletion(var room, var seq, var caller) ->
          connection
              .call(FIND_DELETION, Tuple.of(room.value(), seq.value(), caller.value()))
              .map(ChangeStore::found);
    };
  }

  private static Tuple arguments(Edit edit) {
    SendKey key = SendKey.of(edit);
    return Tuple.of(
        edit.roomId().value(),
        edit.seq().value(),
        edit.caller().value(),
        key.clientKey(),
        key.contentHash(),
        edit.body());
  }

  /// What the log of the room says of a deletion is known beforehand.
  private static Tuple arguments(Deletion deletion) {
    var deleted = new RoomChange.MessageDeleted(deletion.seq(), deletion.caller());
    return Tuple.of(
        deletion.roomId().value(),
        deletion.seq().value(),
        deletion.caller().value(),
        new JsonObject(EventFrames.data(deleted)));
  }

  private static ChangeOutcome outcome(RowSet<Row> rows) {
    Row row = rows.iterator().next();
    String outcome = row.getString("outcome");
    return switch (outcome) {
      case "stored" -> made(row);
      case "duplicate" -> new Known(new Rev(row.getLong("at_rev")), MessageColumns.message(row));
      default -> {
        Long waitMs = row.getLong("wait_ms");
        yield new ChangeOutcome.Refused(StoredRefusal.of(outcome, waitMs == null ? 0 : waitMs));
      }
    };
  }

  private static Optional<Made> found(RowSet<Row> rows) {
    return rows.stream().map(ChangeStore::made).findFirst();
  }

  private static Made made(Row row) {
    return new Made(
        new Rev(row.getLong("at_rev")),
        row.getOffsetDateTime("at_ts").toInstant().toEpochMilli(),
        MessageColumns.message(row));
  }
}
