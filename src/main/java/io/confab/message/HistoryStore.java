package io.confab.message;

import io.confab.feed.MessageColumns;
import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.postgres.Database;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Message;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Reads pages of history by key, so that a page costs the same however deep it lies.
///
/// Membership, position and page are of one statement and so of one snapshot: who goes live from
/// the page's rev misses nothing.
public final class HistoryStore {
  private static final String READ =
      """
      SELECT i.epoch, p.last_seq, p.last_rev, r.type = 'channel' AS open,
             (SELECT true FROM room_member x
               WHERE x.room_id = $1 AND x.account_id = $2) IS NOT NULL AS member, m.*
        FROM instance i, room r, room_position p
        LEFT JOIN LATERAL (
          SELECT m.* FROM message m
           WHERE m.room_id = p.room_id AND %s
             AND EXISTS (SELECT FROM room_member x WHERE x.room_id = $1 AND x.account_id = $2)
           ORDER BY m.seq %s LIMIT $4) m ON true
       WHERE r.room_id = $1 AND p.room_id = $1
       ORDER BY m.seq""";

  private static final String BEFORE = READ.formatted("m.seq < $3", "DESC");
  private static final String AFTER = READ.formatted("m.seq > $3", "ASC");

  private final Database database;

  public HistoryStore(Database database) {
    this.database = database;
  }

  /// A page, oldest first. Refusals: `not_found`, `forbidden` (a channel that the caller has not
  /// joined), `invalid_field` (both positions given).
  public Future<HistoryPage> read(ReadHistory request) {
    Seq before = request.before();
    Seq after = request.after();
    if (before != null && after != null) {
      return Future.failedFuture(Refusal.invalidField("after", "give before or after, not both"));
    }
    if (after != null) {
      return query(AFTER, request, after)
          .map(rows -> page(rows, after.value() + 1, Long.MAX_VALUE));
    }
    long end = before == null ? Long.MAX_VALUE : before.value();
    return query(BEFORE, request, new Seq(end)).map(rows -> page(rows, 0, end - 1));
  }

  private Future<RowSet<Row>> query(String sql, ReadHistory request, Seq from) {
    return database
        .client()
        .preparedQuery(sql)
        .execute(
            Tuple.of(
                request.roomId().value(), request.caller().value(), from.value(), request.limit()));
  }

  /// @param low first and `high` last seq that the page could have held
  private static HistoryPage page(RowSet<Row> rows, long low, long high) {
    if (rows.size() == 0) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such room");
    }
    Row head = rows.iterator().next();
    if (!head.getBoolean("member")) {
      throw head.getBoolean("open")
          ? new Refusal(ErrorCode.FORBIDDEN, "join the channel first")
          : new Refusal(ErrorCode.NOT_FOUND, "no such room");
    }
    List<Message> messages = new ArrayList<>(rows.size());
    for (Row row : rows) {
      if (row.getLong("seq") != null) {
        messages.add(MessageColumns.message(row));
      }
    }
    long last = head.getLong("last_seq");
    long first = messages.isEmpty() ? low : messages.getFirst().seq().value();
    long newest = messages.isEmpty() ? high : messages.getLast().seq().value();
    return new HistoryPage(
        messages,
        first > 1 && last > 0,
        newest < last,
        new Epoch(head.getLong("epoch")),
        new Seq(last),
        new Rev(head.getLong("last_rev")));
  }
}
