package io.confab.feed;

import io.confab.feed.EventCommand.RoomSight;
import io.confab.feed.EventCommand.Sights;
import io.confab.feed.Sight.Span;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads what accounts may see: the table `member_span`.
public final class SightStore {
  private final Database database;

  public SightStore(Database database) {
    this.database = database;
  }

  /// What an account may see of rooms, in one statement. Rooms in which it never was are left
  /// out.
  public Future<Sights> read(AccountId account, List<RoomId> rooms) {
    return database
        .client()
        .preparedQuery(
            """
            SELECT room_id, from_rev, to_rev, seen_from_seq, seen_to_seq FROM member_span
            WHERE room_id = ANY ($1) AND account_id = $2 ORDER BY room_id, from_rev
            """)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(rooms.stream().map(RoomId::value).toArray(Long[]::new))
                .addLong(account.value()))
        .map(
            rows -> {
              Map<RoomId, List<Span>> spans = new LinkedHashMap<>();
              for (Row row : rows) {
                spans
                    .computeIfAbsent(new RoomId(row.getLong("room_id")), _ -> new ArrayList<>())
                    .add(span(row));
              }
              return new Sights(
                  spans.entrySet().stream()
                      .map(e -> new RoomSight(e.getKey(), new Sight(e.getValue())))
                      .toList());
            });
  }

  private static Span span(Row row) {
    Long to = row.getLong("to_rev");
    Long seenTo = row.getLong("seen_to_seq");
    return new Span(
        new Rev(row.getLong("from_rev")),
        to == null ? null : new Rev(to),
        new Seq(row.getLong("seen_from_seq")),
        seenTo == null ? null : new Seq(seenTo));
  }
}
