package io.confab.queue;

import io.confab.config.Config;
import io.confab.feed.Event;
import io.confab.feed.MessageColumns;
import io.confab.postgres.WriterConnection;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/// Sends of sealed rooms in PostgreSQL, over a writer's own connection.
public final class EnvelopeStore {
  private static final String APPEND =
      """
      SELECT * FROM append_envelopes(
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)\
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

  private static final String BURY =
      """
      INSERT INTO dead_letter (account_id, device_id, room_id, client_id, reason, content)
        VALUES ($1, $2, $3, $4, $5, $6)\
      """;

  private final WriterConnection connection;
  private final Config.Queues limits;

  public EnvelopeStore(WriterConnection connection, Config.Queues limits) {
    this.connection = connection;
    this.limits = limits;
  }

  /// Stores a group in one transaction and answers each send, in their order, after the commit.
  ///
  /// @param group all have a room, or none has
  public Future<List<EnvelopeOutcome>> append(List<EnvelopeDraft> group) {
    EnvelopeColumns columns = EnvelopeColumns.of(group);
    Tuple arguments =
        columns.arguments().addValue((long) limits.depth()).addValue(limits.retention().toMillis());
    return connection
        .call(APPEND, arguments)
        .map(
            rows ->
                OutcomeColumns.of(rows.iterator().next())
                    .outcomes(group, columns, connection.epoch()));
  }

  /// Keeps a send that can never be stored, for whoever looks for the fault.
  public Future<Void> bury(EnvelopeDraft draft, String reason) {
    return connection
        .call(
            BURY,
            Tuple.of(
                draft.sender().account().value(),
                draft.sender().device().value(),
                draft.roomId() == null ? null : draft.roomId().value(),
                draft.clientId().value(),
                reason,
                Letters.of(draft)))
        .mapEmpty();
  }

  /// The events of those sends that are stored, by whatever try. Of silent ones there are none:
  /// their devices find them when they look.
  public Future<List<Event>> find(List<EnvelopeDraft> group) {
    return connection
        .call(FIND, EnvelopeColumns.of(group).identities())
        .map(
            rows ->
                rows.stream().map(row -> MessageColumns.sealed(row, connection.epoch())).toList());
  }
}
