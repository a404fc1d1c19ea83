package io.confab.room;

import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.MemberLeft;
import io.confab.protocol.RoomChange.Members;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The numbered log of changes in PostgreSQL: tables `room_position` and `room_change`.
///
/// The row of `room_position` is the lock for everything numbered in a room; every writer takes
/// it before any other row.
public final class RoomChangeStore {
  private final DatabaseEpoch known;

  /// @param known what this node knows of the epoch
  RoomChangeStore(DatabaseEpoch known) {
    this.known = known;
  }

  /// Where a locked room stands.
  record Position(RoomId room, Seq seq, Rev rev, boolean archived) {}

  /// Locks a room until the end of the transaction; nothing for one that does not exist.
  Future<Optional<Position>> lock(SqlClient transaction, RoomId room) {
    return transaction
        .preparedQuery(
            """
            SELECT last_seq, last_rev, archived FROM room_position WHERE room_id = $1 FOR UPDATE
            """)
        .mapping(
            row ->
                new Position(
                    room,
                    new Seq(row.getLong("last_seq")),
                    new Rev(row.getLong("last_rev")),
                    row.getBoolean("archived")))
        .execute(Tuple.of(room.value()))
        .map(rows -> rows.stream().findFirst());
  }

  /// Adds changes under the revs that follow the position; the room is locked, or new. The epoch
  /// is looked at in the same statement: a connection of the pool may be older than it.
  Future<List<NumberedChange>> append(LockedRoom locked, List<RoomChange> changes) {
    return append(locked.transaction(), locked.position(), locked.caller(), changes);
  }

  Future<List<NumberedChange>> append(
      SqlClient transaction,
      Position position,
      AccountId actor,
      List<? extends RoomChange> changes) {
    long first = position.rev().value() + 1;
    return transaction
        .preparedQuery(
            """
            WITH moved AS (
              UPDATE room_position
              SET last_rev = $2::bigint - 1 + cardinality($5::text[]), archived = archived OR $7::boolean
              WHERE room_id = $1::bigint)
            INSERT INTO room_change (room_id, rev, last_seq, kind, actor_id, ts, data, left_id, left_reason)
            SELECT $1::bigint, $2::bigint - 1 + nr, $3::bigint, kind, $4::bigint,
              date_trunc('milliseconds', clock.ts), data, left_id, left_reason
            FROM (SELECT clock_timestamp() AS ts) AS clock,
              unnest($5::text[], $6::jsonb[], $9::bigint[], $10::text[])
                WITH ORDINALITY AS change (kind, data, left_id, left_reason, nr)
            RETURNING ts, (SELECT current FROM look_at_epoch($8)) AS epoch
            """)
        .execute(
            Tuple.tuple()
                .addLong(position.room().value())
                .addLong(first)
                .addLong(position.seq().value())
                .addLong(actor.value())
                .addArrayOfString(changes.stream().map(RoomChange::kind).toArray(String[]::new))
                .addArrayOfJsonObject(
                    changes.stream().map(RoomChangeStore::data).toArray(JsonObject[]::new))
                .addBoolean(changes.stream().anyMatch(c -> c instanceof RoomChange.Archived))
                .addLong(known.current().value())
                .addArrayOfLong(changes.stream().map(RoomChangeStore::leftId).toArray(Long[]::new))
                .addArrayOfString(
                    changes.stream().map(RoomChangeStore::leftReason).toArray(String[]::new)))
        .map(
            rows -> {
              Row row = rows.iterator().next();
              long ts = row.getOffsetDateTime("ts").toInstant().toEpochMilli();
              Epoch epoch = new Epoch(row.getLong("epoch"));
              return IntStream.range(0, changes.size())
                  .mapToObj(
                      i ->
                          new NumberedChange(
                              position.room(),
                              epoch,
                              new Rev(first + i),
                              actor,
                              ts,
                              changes.get(i)))
                  .toList();
            });
  }

  private static @Nullable Long leftId(RoomChange change) {
    return change instanceof Members(_, _, _, MemberLeft(var account, _)) ? account.value() : null;
  }

  private static @Nullable String leftReason(RoomChange change) {
    return change instanceof Members(_, _, _, MemberLeft(_, var reason)) ? reason.wire() : null;
  }

  private static JsonObject data(RoomChange change) {
    return new JsonObject(EventFrames.data(change));
  }
}
