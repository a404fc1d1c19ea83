package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.room.RoomCommand.Membership;
import io.confab.room.RoomCommand.Memberships;
import io.confab.room.RoomCommand.ReadMemberships;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Where the rooms of accounts stand, read for many accounts in one statement.
///
/// Which rooms are the latest active ones matters only for an account that has more than its
/// limit. It is not stored, so that a send pays nothing for it: it is the time of the room's
/// last message, one probe of the primary key for each room of such an account, or that of
/// joining, if later.
public final class MembershipStore {
  private final Database database;

  public MembershipStore(Database database) {
    this.database = database;
  }

  /// An answer to each of the questions, which may repeat.
  public Future<Map<ReadMemberships, Memberships>> read(List<ReadMemberships> questions) {
    List<ReadMemberships> distinct = questions.stream().distinct().toList();
    return database
        .client()
        .preparedQuery(
            """
            SELECT i.epoch, asked.account_id, asked.most,
              r.room_id, r.last_seq, r.last_rev, r.sees_all
            FROM instance i
            CROSS JOIN unnest($1::bigint[], $2::int[]) AS asked (account_id, most)
            CROSS JOIN LATERAL (
              SELECT count(*) > asked.most AS too_many
              FROM room_member c WHERE c.account_id = asked.account_id) AS has
            LEFT JOIN LATERAL (
              SELECT p.room_id, p.last_seq, p.last_rev, m.sees_all
              FROM room_member m JOIN room_position p USING (room_id)
              WHERE m.account_id = asked.account_id
              ORDER BY CASE WHEN has.too_many THEN greatest(m.joined_at, (
                SELECT ts FROM message WHERE room_id = p.room_id AND seq = p.last_seq)) END DESC
              LIMIT asked.most + 1) AS r ON true
            """)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(distinct.stream().map(q -> q.caller().value()).toArray(Long[]::new))
                .addArrayOfInteger(
                    distinct.stream().map(ReadMemberships::limit).toArray(Integer[]::new)))
        .map(
            rows -> {
              Map<ReadMemberships, List<Membership>> found = group(rows);
              Epoch epoch = new Epoch(rows.iterator().next().getLong("epoch"));
              database.epochs().told(epoch);
              return distinct.stream()
                  .collect(
                      Collectors.toMap(
                          Function.identity(),
                          q -> memberships(q, found.getOrDefault(q, List.of()), epoch)));
            });
  }

  private static Map<ReadMemberships, List<Membership>> group(RowSet<Row> rows) {
    Map<ReadMemberships, List<Membership>> found = new HashMap<>();
    for (Row row : rows) {
      if (row.getLong("room_id") == null) {
        continue; // an account without rooms
      }
      found
          .computeIfAbsent(
              new ReadMemberships(new AccountId(row.getLong("account_id")), row.getInteger("most")),
              _ -> new ArrayList<>())
          .add(
              new Membership(
                  new RoomId(row.getLong("room_id")),
                  new Seq(row.getLong("last_seq")),
                  new Rev(row.getLong("last_rev")),
                  row.getBoolean("sees_all")));
    }
    return found;
  }

  private static Memberships memberships(
      ReadMemberships question, List<Membership> rooms, Epoch epoch) {
    boolean more = rooms.size() > question.limit();
    return new Memberships(epoch, more ? rooms.subList(0, question.limit()) : rooms, more);
  }
}
