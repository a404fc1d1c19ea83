package io.confab.message;

import io.confab.feed.Event;
import io.confab.feed.MessageColumns;
import io.confab.message.ChangeOutcome.Known;
import io.confab.message.ChangeOutcome.Made;
import io.confab.message.MessageChange.Deletion;
import io.confab.message.MessageChange.Edit;
import io.confab.postgres.WriterConnection;
import io.confab.protocol.Rev;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Edits and deletions in PostgreSQL, over a writer's connection.
final class ChangeStore {
  private static final String CHANGE =
      """
      SELECT c.outcome, c.at_rev, c.at_ts, c.wait_ms, c.recounts, (c.stored).*
        FROM change_messages($1, $2, $3, $4, $5, $6, $7, $8) c\
      """;

  /// Of a deletion the change of an earlier try, if there was one: announcing it again hurts
  /// nobody.
  private static final String FIND =
      """
      SELECT d.i, c.rev AS at_rev, c.ts AS at_ts,
             c.kind = 'message.deleted' OR c.data ? 'recounts' AS recounts, m.*
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::uuid[], $5::bigint[])
               WITH ORDINALITY AS d (room_id, seq, caller_id, client_key, content_hash, i)
        JOIN message m ON m.room_id = d.room_id AND m.seq = d.seq
        JOIN room_change c ON c.room_id = d.room_id AND c.rev =
             CASE WHEN d.client_key IS NOT NULL
                  THEN (SELECT k.rev FROM send_key k
                         WHERE k.sender_id = d.caller_id AND k.client_key = d.client_key
                           AND k.content_hash = d.content_hash)
                  WHEN m.deleted_by = d.caller_id THEN m.changed_rev END
       ORDER BY d.i\
      """;

  private final WriterConnection connection;

  ChangeStore(WriterConnection connection) {
    this.connection = connection;
  }

  Future<List<ChangeOutcome>> make(List<MessageChange> run) {
    return connection
        .call(
            CHANGE,
            columns(run)
                .addValue(run.stream().map(ChangeStore::body).toArray(String[]::new))
                .addValue(names(run))
                .addValue(seated(run)))
        .map(rows -> rows.stream().map(ChangeStore::outcome).toList());
  }

  /// Looks changes up without making them: the events of those that were made.
  Future<List<Event>> find(List<MessageChange> run) {
    return connection
        .call(FIND, columns(run))
        .map(
            rows ->
                rows.stream()
                    .map(
                        row ->
                            made(row).event(run.get(row.getInteger("i") - 1), connection.epoch()))
                    .toList());
  }

  /// Room, seq, caller, key, content; no key and no content where it is a deletion.
  private static Tuple columns(List<MessageChange> run) {
    Long[] rooms = new Long[run.size()];
    Long[] seqs = new Long[run.size()];
    Long[] callers = new Long[run.size()];
    @Nullable UUID[] keys = new UUID[run.size()];
    @Nullable Long[] hashes = new Long[run.size()];
    for (int i = 0; i < run.size(); i++) {
      MessageChange change = run.get(i);
      rooms[i] = change.roomId().value();
      seqs[i] = change.seq().value();
      callers[i] = change.caller().value();
      if (change instanceof Edit edit) {
        SendKey key = SendKey.of(edit);
        keys[i] = key.clientKey();
        hashes[i] = key.contentHash();
      }
    }
    return Tuple.tuple()
        .addValue(rooms)
        .addValue(seqs)
        .addValue(callers)
        .addValue(keys)
        .addValue(hashes);
  }

  private static @Nullable String body(MessageChange change) {
    return switch (change) {
      case Edit edit -> edit.body();
      case Deletion _ -> null;
    };
  }

  /// Null where no edit mentions anybody.
  private static @Nullable String @Nullable [] names(List<MessageChange> run) {
    @Nullable String[] names =
        run.stream()
            .map(ChangeStore::body)
            .map(body -> body == null ? null : MentionNames.in(body))
            .toArray(String[]::new);
    return Arrays.stream(names).allMatch(Objects::isNull) ? null : names;
  }

  /// Null where nobody is inside.
  private static Boolean @Nullable [] seated(List<MessageChange> run) {
    return run.stream().anyMatch(MessageChange::seated)
        ? run.stream().map(MessageChange::seated).toArray(Boolean[]::new)
        : null;
  }

  private static ChangeOutcome outcome(Row row) {
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

  private static Made made(Row row) {
    return new Made(
        new Rev(row.getLong("at_rev")),
        row.getOffsetDateTime("at_ts").toInstant().toEpochMilli(),
        row.getBoolean("recounts"),
        MessageColumns.message(row));
  }
}
