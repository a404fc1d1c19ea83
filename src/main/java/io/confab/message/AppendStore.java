package io.confab.message;

import io.confab.config.Config;
import io.confab.feed.Event;
import io.confab.feed.MessageColumns;
import io.confab.postgres.Database;
import io.confab.postgres.WriterConnection;
import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.confab.queue.EnvelopeStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The log in PostgreSQL, over a writer's own connection.
final class AppendStore implements MessageLog {
  private static final String APPEND_ONE =
      "SELECT * FROM append_message($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

  private static final String APPEND =
      "SELECT * FROM append_messages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";

  /// What somebody has locked is not waited for. Of sealed rooms it may be a queue of a device;
  /// those that nobody has locked since they were written last are not touched.
  private static final String LOCKED =
      """
      WITH free AS (SELECT p.room_id FROM room_position p WHERE p.room_id = ANY ($1)
                    FOR NO KEY UPDATE SKIP LOCKED),
      target AS MATERIALIZED (
        SELECT p.room_id, q.registration_id FROM room_position p
         CROSS JOIN LATERAL (SELECT m.account_id FROM room_member m WHERE m.room_id = p.room_id OFFSET 0) m
         CROSS JOIN LATERAL (SELECT q.registration_id FROM device_queue q
                              WHERE q.account_id = m.account_id AND NOT q.dormant AND q.xmax <> 0 OFFSET 0) q
         WHERE p.room_id = ANY ($1) AND p.sealed),
      free_queue AS MATERIALIZED (
        SELECT q.registration_id FROM device_queue q
         WHERE q.registration_id = ANY (ARRAY(SELECT t.registration_id FROM target t)) FOR SHARE SKIP LOCKED)
      SELECT p.room_id FROM room_position p
       WHERE p.room_id = ANY ($1) AND p.room_id NOT IN (SELECT f.room_id FROM free f)
      UNION
      SELECT t.room_id FROM target t
       WHERE t.registration_id NOT IN (SELECT f.registration_id FROM free_queue f)\
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
  private final EnvelopeStore envelopes;

  /// @param lockTimeout how long a group waits for its rooms and queues
  AppendStore(Database database, Duration lockTimeout, Config.Queues queues) {
    this.connection = new WriterConnection(database, lockTimeout);
    this.changes = new ChangeStore(connection);
    this.envelopes = new EnvelopeStore(connection, queues);
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
    return group.size() == 1 ? append(group.getFirst()) : appendGroup(group);
  }

  private Future<List<Outcome>> append(Draft draft) {
    SendKey key = SendKey.of(draft);
    Tuple arguments =
        Tuple.of(draft.roomId().value(), draft.senderId().value(), draft.clientId().value())
            .addValue(key.clientKey())
            .addValue(key.contentHash())
            .addValue(draft.type().wire())
            .addValue(draft.body())
            .addValue(draft.replyTo() == null ? null : draft.replyTo().value())
            .addValue(draft.topic())
            .addValue(MentionNames.in(draft.body()))
            .addValue(draft.seated());
    return connection.call(APPEND_ONE, arguments).map(rows -> List.of(outcome(rows)));
  }

  private static Outcome outcome(RowSet<Row> rows) {
    Row row = rows.iterator().next();
    return Outcome.of(
        row.getString(0),
        number(row.getLong(1)),
        number(row.getLong(2)),
        number(row.getLong(3)),
        number(row.getLong(4)),
        row.getString(5));
  }

  private Future<List<Outcome>> appendGroup(List<Draft> group) {
    PlaceColumns places = PlaceColumns.of(group);
    Tuple arguments = DraftColumns.of(group).appendTo(places.arguments());
    return connection.call(APPEND, arguments).map(rows -> outcomes(rows, places));
  }

  @Override
  public Future<List<ChangeOutcome>> change(List<MessageChange> run) {
    return changes.make(run);
  }

  @Override
  public Future<List<Event>> find(List<Draft> group) {
    return connection
        .call(FIND, DraftColumns.of(group).identities())
        .map(
            rows -> {
              MessageColumns columns = MessageColumns.of(rows);
              return rows.stream().map(row -> Event.of(columns.read(row), epoch())).toList();
            });
  }

  @Override
  public Future<List<Event>> findChanges(List<MessageChange> run) {
    return changes.find(run);
  }

  @Override
  public Future<List<EnvelopeOutcome>> put(List<EnvelopeDraft> group) {
    return envelopes.append(group);
  }

  @Override
  public Future<Void> bury(EnvelopeDraft draft, String reason) {
    return envelopes.bury(draft, reason);
  }

  @Override
  public Future<List<Event>> findPut(List<EnvelopeDraft> group) {
    return envelopes.find(group);
  }

  @Override
  public Future<Set<RoomId>> locked(Collection<RoomId> rooms) {
    Long[] ids = rooms.stream().map(RoomId::value).toArray(Long[]::new);
    return connection
        .call(LOCKED, Tuple.tuple().addArrayOfLong(ids))
        .map(
            rows ->
                rows.stream()
                    .map(row -> new RoomId(row.getLong("room_id")))
                    .collect(Collectors.toSet()));
  }

  @Override
  public Future<Void> close() {
    return connection.close();
  }

  private static List<Outcome> outcomes(RowSet<Row> rows, PlaceColumns places) {
    Row row = rows.iterator().next();
    String @Nullable [] outcomes = row.getArrayOfStrings(0);
    Long[] seqs = row.getArrayOfLongs(1);
    Long[] revs = row.getArrayOfLongs(2);
    Long[] times = row.getArrayOfLongs(3);
    @Nullable String @Nullable [] mentions = row.getArrayOfStrings(5);
    if (outcomes == null) {
      return places.stored(seqs, revs, times[0], mentions);
    }
    Long[] waits = row.getArrayOfLongs(4);
    List<Outcome> answers = new ArrayList<>(outcomes.length);
    for (int i = 0; i < outcomes.length; i++) {
      answers.add(
          Outcome.of(
              outcomes[i],
              number(seqs[i]),
              number(revs[i]),
              number(times[i]),
              number(waits[i]),
              mentions == null ? null : mentions[i]));
    }
    return answers;
  }

  private static long number(@Nullable Long value) {
    return value == null ? 0 : value;
  }
}
