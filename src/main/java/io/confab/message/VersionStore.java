package io.confab.message;

import io.confab.feed.EventStore;
import io.confab.message.MessageCommand.ReadVersions;
import io.confab.message.MessageCommand.Version;
import io.confab.message.MessageCommand.Versions;
import io.confab.postgres.Database;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Reads what messages said before they were edited, page by page; a reader of a message may
/// read its versions. Rights and page are of one statement and so of one snapshot.
public final class VersionStore {
  private static final String READ =
      """
      SELECT r.type, p.inside_only, x.role, x.role IS NULL AND EXISTS (SELECT FROM room_ban b
              WHERE b.room_id = r.room_id AND b.account_id = $2) AS banned,
             x.sees_all OR span_shows($1, $2, $3) AS seen,
             m.seq >= r.sealed_from_seq AS sealed, m.seq IS NOT NULL AS known, m.deleted_at IS NOT NULL AS deleted, v.rev, v.body, v.ts
        FROM room r JOIN room_position p USING (room_id)
        LEFT JOIN room_member x ON x.room_id = r.room_id AND x.account_id = $2
        LEFT JOIN message m ON m.room_id = r.room_id AND m.seq = $3
        LEFT JOIN LATERAL (
          SELECT o.rev, o.body, o.ts FROM message_version o
           WHERE o.room_id = m.room_id AND o.seq = m.seq
          UNION ALL
          SELECT coalesce(m.changed_rev, m.rev), m.body, coalesce(m.edited_at, m.ts)) v
          ON v.rev > $4
       WHERE r.room_id = $1
       ORDER BY v.rev LIMIT $5\
      """;

  private final Database database;

  public VersionStore(Database database) {
    this.database = database;
  }

  /// Refusals: `not_found`, `forbidden` (a channel that the caller has not joined), `gone`,
  /// `encrypted`.
  public Future<Versions> read(ReadVersions request) {
    Rev after = request.after();
    return database
        .client()
        .preparedQuery(READ)
        .execute(
            Tuple.of(
                request.roomId().value(),
                request.caller().value(),
                request.seq().value(),
                after == null ? 0 : after.value(),
                request.limit() + 1))
        .map(rows -> page(rows, request));
  }

  private static Versions page(RowSet<Row> rows, ReadVersions request) {
    int limit = request.limit();
    if (rows.size() == 0) {
      throw Refusal.noSuchRoom();
    }
    Row head = rows.iterator().next();
    ReaderColumns.require(head, request.seated());
    requireContent(head);
    List<Version> versions = new ArrayList<>(limit);
    String last = "";
    int bytes = 0;
    for (Row row : rows) {
      if (versions.size() == limit || bytes >= EventStore.PAGE_BYTES) {
        return new Versions(versions, last);
      }
      if (row.getLong("rev") != null) {
        last = row.getLong("rev").toString();
        String body = row.getString("body");
        bytes += body.length();
        versions.add(new Version(body, row.getOffsetDateTime("ts").toInstant().toEpochMilli()));
      }
    }
    return new Versions(versions, null);
  }

  private static void requireContent(Row row) {
    if (!row.getBoolean("known") || !row.getBoolean("seen")) {
      throw new Refusal(ErrorCode.NOT_FOUND, "the room has no such message");
    }
    if (Boolean.TRUE.equals(row.getBoolean("sealed"))) {
      throw StoredRefusal.of("encrypted", 0);
    }
    if (row.getBoolean("deleted")) {
      throw new Refusal(ErrorCode.GONE, "the message is deleted");
    }
  }
}
