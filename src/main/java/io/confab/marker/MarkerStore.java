package io.confab.marker;

import io.confab.marker.MarkerCommand.Marker;
import io.confab.marker.MarkerCommand.Markers;
import io.confab.marker.MarkerCommand.MoveMarker;
import io.confab.marker.MarkerCommand.ReadMarkers;
import io.confab.marker.MarkerCommand.ReadReaders;
import io.confab.marker.MarkerCommand.Reader;
import io.confab.marker.MarkerCommand.Readers;
import io.confab.marker.MarkerCommand.RoomMarks;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Marks;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Markers and receipts in PostgreSQL: tables `marker` and `receipt`.
public final class MarkerStore {
  private static final String MOVE = "SELECT * FROM move_markers($1, $2, $3, $4, $5)";

  /// What changed of one account after another, in all of their rooms or in one.
  private static final String CHANGED =
      """
      SELECT d.account_id, c.*
        FROM unnest($1::bigint[], $2::bigint[]) AS d (account_id, since)
       CROSS JOIN LATERAL (
         SELECT k.room_id, k.read_seq, k.delivered_seq, k.unread_from,
                (extract(epoch FROM k.moved_at) * 1000000)::bigint AS version,
                coalesce(r.read_seq, 0) AS others_read, coalesce(r.delivered_seq, 0) AS others_received,
                p.last_rev AS rev
           FROM marker k JOIN room_position p USING (room_id) LEFT JOIN receipt r USING (account_id, room_id)
          WHERE k.account_id = d.account_id AND ($3::bigint IS NULL OR k.room_id = $3)
            AND greatest(k.moved_at, r.moved_at) >= to_timestamp(d.since / 1000.0)
         OFFSET 0) c
      """;

  /// Longer than what is not committed yet can have been under way.
  private static final long TRANSACTION_MS = 30_000;

  /// Looks through so many members for one page.
  private static final int LOOKED_THROUGH = 2_000;

  private static final String READERS =
      """
      SELECT m.account_id, k.read_seq,
             k.read_seq >= $2 AND m.account_id <> $3 AND NOT a.private_reading
               AND a.presence_visible_to <> 'nobody' AND NOT has_blocked(m.account_id, $3)
               AND EXISTS (SELECT FROM member_span s
                            WHERE s.room_id = $1 AND s.account_id = m.account_id AND s.to_rev IS NULL
                              AND s.from_rev < (SELECT x.rev FROM message x
                                                 WHERE x.room_id = $1 AND x.seq = $2)) AS tells
        FROM (SELECT account_id FROM room_member
               WHERE room_id = $1 AND account_id > $4 ORDER BY account_id LIMIT $5) m
       CROSS JOIN LATERAL (SELECT * FROM marker k
                            WHERE k.account_id = m.account_id AND k.room_id = $1 LIMIT 1) k
       CROSS JOIN LATERAL (SELECT * FROM account a WHERE a.account_id = m.account_id LIMIT 1) a
       ORDER BY m.account_id
      """;

  private static final String SHOWN =
      """
      SELECT coalesce(read_refused($1, $2),
                      (SELECT 'no_seat' FROM room_position p
                        WHERE p.room_id = $1 AND p.inside_only AND NOT $4)) AS refused,
             span_shows($1, $2, $3) AND EXISTS (SELECT FROM message x WHERE x.room_id = $1 AND x.seq = $3) AS shown
      """;

  private final Database database;

  public MarkerStore(Database database) {
    this.database = database;
  }

  /// A request, or the rest of one that is too far for a single call.
  ///
  /// @param stood where the call before it left the marker's `unread_from`, as of
  ///     `move_markers`; null: there was none
  record Step(MoveMarker move, @Nullable Long stood) {}

  /// What became of requests: an outcome for each, and what others are to be told.
  ///
  /// @param version of two that moved one marker the later one has the higher
  record Moved(
      List<String> outcomes,
      long version,
      List<MovedMarker> markers,
      List<RaisedReceipt> receipts) {}

  /// @param moved whether anything changed
  /// @param replaced whether unread counts begin elsewhere now
  /// @param shown whether other members are told, but those of `hiddenFrom`
  /// @param readShown whether they are told what was read
  record MovedMarker(
      Marker marker,
      boolean moved,
      boolean replaced,
      boolean shown,
      boolean readShown,
      List<AccountId> hiddenFrom) {}

  /// Others have received or read more of what the account sent.
  ///
  /// @param asOf a rev of the room at which the account was the member that is meant
  record RaisedReceipt(AccountId account, RoomId room, Seq read, Seq delivered, Rev asOf) {}

  /// @param requests by account and room, those about one marker in the order in which they came
  /// @param lost as of [Database#change]
  Future<Moved> move(List<Step> requests, Supplier<Future<Void>> lost) {
    return database
        .change(
            MOVE,
            Tuple.tuple()
                .addArrayOfLong(longs(requests, r -> r.move().caller().value()))
                .addArrayOfLong(longs(requests, r -> r.move().room().value()))
                .addArrayOfString(
                    requests.stream().map(r -> r.move().kind().wire()).toArray(String[]::new))
                .addArrayOfLong(longs(requests, r -> r.move().seq().value()))
                .addArrayOfLong(longs(requests, Step::stood)),
            lost)
        .map(rows -> moved(rows.iterator().next()));
  }

  private static <T> Long[] longs(List<T> items, Function<T, @Nullable Long> value) {
    return items.stream().map(value).toArray(Long[]::new);
  }

  private static Moved moved(Row row) {
    return new Moved(
        List.of(row.getArrayOfStrings("outcomes")),
        row.getLong("version"),
        markers(row),
        receipts(row));
  }

  private static List<MovedMarker> markers(Row row) {
    List<MovedMarker> markers = new ArrayList<>();
    Long @Nullable [] accounts = row.getArrayOfLongs("marker_accounts");
    if (accounts == null) {
      return markers;
    }
    Long[] rooms = row.getArrayOfLongs("marker_rooms");
    Long[] reads = row.getArrayOfLongs("reads");
    Long[] delivereds = row.getArrayOfLongs("delivereds");
    @Nullable Long[] unreadFroms = row.getArrayOfLongs("unread_froms");
    Boolean[] moved = row.getArrayOfBooleans("moved");
    Boolean[] replaced = row.getArrayOfBooleans("replaced");
    Boolean[] shown = row.getArrayOfBooleans("shown");
    Boolean[] readShown = row.getArrayOfBooleans("read_shown");
    for (int i = 0; i < accounts.length; i++) {
      Long unreadFrom = unreadFroms[i];
      markers.add(
          new MovedMarker(
              new Marker(
                  new RoomId(rooms[i]),
                  new AccountId(accounts[i]),
                  new Seq(reads[i]),
                  new Seq(delivereds[i]),
                  unreadFrom == null ? null : new Seq(unreadFrom)),
              moved[i],
              replaced[i],
              shown[i],
              readShown[i],
              new ArrayList<>()));
    }
    hide(row, markers);
    return markers;
  }

  private static void hide(Row row, List<MovedMarker> markers) {
    Integer @Nullable [] hidden = row.getArrayOfIntegers("hidden_markers");
    Long @Nullable [] from = row.getArrayOfLongs("hidden_from");
    for (int i = 0; hidden != null && from != null && i < hidden.length; i++) {
      markers.get(hidden[i] - 1).hiddenFrom().add(new AccountId(from[i]));
    }
  }

  private static List<RaisedReceipt> receipts(Row row) {
    List<RaisedReceipt> receipts = new ArrayList<>();
    Long @Nullable [] accounts = row.getArrayOfLongs("receipt_accounts");
    if (accounts != null) {
      Long[] rooms = row.getArrayOfLongs("receipt_rooms");
      Long[] reads = row.getArrayOfLongs("receipt_reads");
      Long[] delivereds = row.getArrayOfLongs("receipt_delivereds");
      Long[] revs = row.getArrayOfLongs("receipt_revs");
      for (int i = 0; i < accounts.length; i++) {
        receipts.add(
            new RaisedReceipt(
                new AccountId(accounts[i]),
                new RoomId(rooms[i]),
                new Seq(reads[i]),
                new Seq(delivereds[i]),
                new Rev(revs[i])));
      }
    }
    return receipts;
  }

  /// What changed of these accounts, perhaps twice of one that is asked for twice.
  Future<Map<AccountId, Markers>> changed(List<ReadMarkers> questions) {
    return changed(
            longs(questions, q -> q.account().value()),
            longs(questions, q -> q.since() - TRANSACTION_MS),
            null)
        .map(MarkerStore::byAccount);
  }

  private static Map<AccountId, Markers> byAccount(RowSet<Row> rows) {
    Map<AccountId, List<RoomMarks>> found = new HashMap<>();
    for (Row row : rows) {
      found
          .computeIfAbsent(new AccountId(row.getLong("account_id")), _ -> new ArrayList<>())
          .add(roomMarks(row));
    }
    Map<AccountId, Markers> markers = new HashMap<>();
    found.forEach((account, marks) -> markers.put(account, new Markers(marks)));
    return markers;
  }

  Future<Markers> inRoom(AccountId account, RoomId room) {
    return changed(new Long[] {account.value()}, new Long[] {0L}, room.value())
        .map(rows -> new Markers(rows.stream().map(MarkerStore::roomMarks).toList()));
  }

  private Future<RowSet<Row>> changed(Long[] accounts, Long[] since, @Nullable Long room) {
    return database
        .client()
        .preparedQuery(CHANGED)
        .execute(Tuple.tuple().addArrayOfLong(accounts).addArrayOfLong(since).addLong(room));
  }

  private static RoomMarks roomMarks(Row row) {
    return new RoomMarks(
        new RoomId(row.getLong("room_id")),
        marks(row),
        row.getLong("version"),
        new Rev(row.getLong("rev")));
  }

  private static Marks marks(Row row) {
    Long unreadFrom = row.getLong("unread_from");
    return new Marks(
        new Seq(row.getLong("read_seq")),
        new Seq(row.getLong("delivered_seq")),
        unreadFrom == null ? null : new Seq(unreadFrom),
        new Seq(row.getLong("others_read")),
        new Seq(row.getLong("others_received")));
  }

  /// The members who have read a message, by account.
  Future<Readers> readers(ReadReaders question) {
    return requireShown(question)
        .compose(_ -> look(question))
        .map(looked -> readers(looked, question.limit()));
  }

  private Future<Void> requireShown(ReadReaders question) {
    return database
        .client()
        .preparedQuery(SHOWN)
        .execute(
            Tuple.of(
                question.room().value(),
                question.caller().value(),
                question.seq().value(),
                question.seated()))
        .map(
            rows -> {
              Row row = rows.iterator().next();
              String refused = row.getString("refused");
              if (refused != null) {
                throw ReadRefusal.of(refused);
              }
              if (!row.getBoolean("shown")) {
                throw new Refusal(ErrorCode.NOT_FOUND, "the room has no such message");
              }
              return null;
            });
  }

  private Future<List<Row>> look(ReadReaders question) {
    AccountId after = question.after();
    return database
        .client()
        .preparedQuery(READERS)
        .execute(
            Tuple.of(
                question.room().value(),
                question.seq().value(),
                question.caller().value(),
                after == null ? -1L : after.value(),
                LOOKED_THROUGH))
        .map(rows -> rows.stream().toList());
  }

  private static Readers readers(List<Row> looked, int limit) {
    List<Reader> readers = new ArrayList<>();
    for (Row row : looked) {
      if (readers.size() == limit) {
        return new Readers(readers, readers.getLast().accountId());
      }
      if (row.getBoolean("tells")) {
        readers.add(
            new Reader(new AccountId(row.getLong("account_id")), new Seq(row.getLong("read_seq"))));
      }
    }
    return new Readers(
        readers,
        looked.size() < LOOKED_THROUGH
            ? null
            : new AccountId(looked.getLast().getLong("account_id")));
  }
}
