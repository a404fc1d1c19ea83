package io.confab.message;

import io.confab.feed.EventStore;
import io.confab.feed.MessageColumns;
import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.postgres.Database;
import io.confab.protocol.Epoch;
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
import org.jspecify.annotations.Nullable;

/// Reads pages of history by key, so that a page costs the same however deep it lies.
///
/// Membership, position and page are of one statement and so of one snapshot: a client that
/// goes live from the page's rev misses nothing. For a member who does not see all of the room,
/// only what lies in its spans is read; spans before one that shows everything add nothing and
/// are left out, so the others do not overlap. Where the caller has read to stands in `marker`.
public final class HistoryStore {
  /// Takes as parameters the room, the caller, the seqs and the numbers of messages of the
  /// pages.
  private static final String READ =
      """
      WITH head AS (
        SELECT i.epoch, p.room_id, p.last_seq, p.last_rev, p.inside_only, r.type, x.role, x.sees_all,
          r.sealed_from_seq, least(p.last_seq, r.sealed_from_seq - 1) AS last_plain,
          x.role IS NULL AND EXISTS (SELECT FROM room_ban b
              WHERE b.room_id = r.room_id AND b.account_id = $2) AS banned
          FROM instance i, room r
          JOIN room_position p USING (room_id)
          LEFT JOIN room_member x ON x.room_id = r.room_id AND x.account_id = $2
         WHERE r.room_id = $1),
      span AS MATERIALIZED (
        SELECT s.seen_from_seq AS low, least(s.seen_to_seq, h.last_plain) AS high
          FROM head h JOIN member_span s ON s.room_id = h.room_id AND s.account_id = $2
         WHERE NOT h.sees_all
           AND s.from_rev >= coalesce((SELECT max(a.from_rev) FROM member_span a
                                        WHERE a.room_id = $1 AND a.account_id = $2
                                          AND a.seen_from_seq = 1), 0)
           AND s.seen_from_seq <= least(s.seen_to_seq, h.last_plain)
        UNION ALL
        SELECT 1, h.last_plain FROM head h WHERE h.sees_all AND h.last_plain > 0)
      SELECT h.epoch, h.last_seq, h.last_rev, h.inside_only, h.sealed_from_seq, h.type, h.role, h.banned,
             (SELECT min(low) FROM span) AS oldest, (SELECT max(high) FROM span) AS newest, m.*
        FROM head h LEFT JOIN LATERAL (%s) m ON true
       ORDER BY m.seq\
      """;

  private static final String BEFORE =
      cut(
          "DESC",
          """
          SELECT m.* FROM span s CROSS JOIN LATERAL (
              SELECT m.* FROM message m
               WHERE m.room_id = $1 AND m.seq BETWEEN s.low AND s.high AND m.seq < $3
               ORDER BY m.seq DESC LIMIT $4) m
           ORDER BY m.seq DESC LIMIT $4\
          """);

  private static final String FROM =
      cut(
          "",
          """
          SELECT m.* FROM span s CROSS JOIN LATERAL (
              SELECT m.* FROM message m
               WHERE m.room_id = $1 AND m.seq BETWEEN s.low AND s.high AND m.seq %1$s $3
               ORDER BY m.seq LIMIT %2$s) m
           ORDER BY m.seq LIMIT %2$s\
          """);

  static final String READ_BEFORE = READ.formatted(BEFORE);
  static final String READ_AFTER = READ.formatted(FROM.formatted(">", "$4"));
  static final String READ_AROUND =
      READ.formatted("(%s) UNION ALL (%s)".formatted(BEFORE, FROM.formatted(">=", "$5")));

  /// Takes the room, the caller, and the numbers of messages.
  static final String READ_FIRST_UNREAD =
      READ_AROUND
          .replace(
              "$3",
              "(SELECT least(k.read_seq, k.unread_from - 1) + 1 FROM marker k"
                  + " WHERE k.account_id = $2 AND k.room_id = $1)")
          .replace("$4", "$3")
          .replace("$5", "$4");

  private static final long END = Long.MAX_VALUE;

  /// Ends a page, seen from where it begins, with the message that reaches its bytes.
  private static String cut(String order, String page) {
    String sizes =
        "SELECT p.*, sum(coalesce(octet_length(p.body), 0)) OVER (ORDER BY p.seq " + order + ")";
    return "SELECT c.* FROM ("
        + (sizes + " - coalesce(octet_length(p.body), 0) AS bytes_before FROM (" + page + ") p) c")
        + (" WHERE c.bytes_before < " + EventStore.PAGE_BYTES);
  }

  private final Database database;

  public HistoryStore(Database database) {
    this.database = database;
  }

  /// A page, oldest first. Refusals: `not_found`, `forbidden` (a channel that the caller has
  /// not joined), `no_seat`.
  public Future<HistoryPage> read(ReadHistory request) {
    long at = request.at().value();
    int limit = request.limit();
    return switch (request.point()) {
      case BEFORE -> query(READ_BEFORE, request, limit).map(rows -> page(rows, request, 0, at - 1));
      case AFTER ->
          query(READ_AFTER, request, limit)
              .map(rows -> page(rows, request, Math.min(at, END - 1) + 1, END));
      case AROUND ->
          query(READ_AROUND, request, limit / 2, limit - limit / 2)
              .map(rows -> page(rows, request, at, at - 1));
      case FIRST_UNREAD ->
          query(
                  READ_FIRST_UNREAD,
                  Tuple.of(request.roomId().value(), request.caller().value()),
                  limit / 2,
                  limit - limit / 2)
              .map(rows -> page(rows, request, END, 0));
    };
  }

  private Future<RowSet<Row>> query(String sql, ReadHistory request, Integer... sizes) {
    return query(
        sql,
        Tuple.of(request.roomId().value(), request.caller().value(), request.at().value()),
        sizes);
  }

  private Future<RowSet<Row>> query(String sql, Tuple parameters, Integer... sizes) {
    for (Integer size : sizes) {
      parameters.addInteger(size);
    }
    return database
        .client()
        .preparedQuery(sql)
        .execute(parameters)
        .onSuccess(database.epochs()::sawIn);
  }

  /// Of a sealed room history ends where it was sealed.
  private static void requirePlain(Row head, ReadHistory request) {
    Long from = head.getLong("sealed_from_seq");
    boolean names =
        switch (request.point()) {
          case AFTER, AROUND -> true;
          case BEFORE, FIRST_UNREAD -> false;
        };
    if (from != null && names && request.at().value() >= from) {
      throw StoredRefusal.of("encrypted", 0);
    }
  }

  /// @param low where what is newer begins if the page is empty
  /// @param high where what is older ends if it is
  private static HistoryPage page(RowSet<Row> rows, ReadHistory request, long low, long high) {
    if (rows.size() == 0) {
      throw Refusal.noSuchRoom();
    }
    Row head = rows.iterator().next();
    ReaderColumns.require(head, request.seated());
    requirePlain(head, request);
    MessageColumns columns = MessageColumns.of(rows);
    List<Message> messages = new ArrayList<>(rows.size());
    for (Row row : rows) {
      if (columns.isIn(row)) {
        messages.add(columns.read(row));
      }
    }
    long first = messages.isEmpty() ? low : messages.getFirst().seq().value();
    long last = messages.isEmpty() ? high : messages.getLast().seq().value();
    @Nullable Long oldest = head.getLong("oldest");
    @Nullable Long newest = head.getLong("newest");
    return new HistoryPage(
        messages,
        oldest != null && oldest < first,
        newest != null && newest > last,
        new Epoch(head.getLong("epoch")),
        new Seq(head.getLong("last_seq")),
        new Rev(head.getLong("last_rev")));
  }
}
