package io.confab.feed;

import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.RoomPosition;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.Epoch;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the numbered log of rooms: messages and changes, merged by rev.
///
/// There is no index of messages by rev. Every rev is a message or a change, and a change tells
/// how many messages there were; so the last change at or before a rev gives the seq there:
/// its `last_seq` and one for each rev since. A page costs what it holds, however long the room is.
///
/// Messages come in their present state, also in `message.edited`: what was edited away or deleted
/// is told to nobody.
public final class EventStore {
  /// A page ends with the event that reaches so many bytes of content.
  public static final int PAGE_BYTES = 256 << 10;

  private static final int MOST_ROOMS_WAITING = 100_000;

  private static final String READ =
      """
      WITH head AS (
        SELECT i.epoch, p.last_rev, $2::bigint AS low, least($2 + $3::bigint, p.last_rev) AS high
          FROM room_position p, instance i WHERE p.room_id = $1),
      seqs AS (
        SELECT h.epoch, h.last_rev, h.low, h.high,
               coalesce((SELECT c.last_seq + (h.low - c.rev) FROM room_change c
                          WHERE c.room_id = $1 AND c.rev <= h.low ORDER BY c.rev DESC LIMIT 1),
                        h.low) AS low_seq,
               coalesce((SELECT c.last_seq + (h.high - c.rev) FROM room_change c
                          WHERE c.room_id = $1 AND c.rev <= h.high ORDER BY c.rev DESC LIMIT 1),
                        h.high) AS high_seq
          FROM head h)
      SELECT s.epoch, s.last_rev, e.*
        FROM seqs s LEFT JOIN LATERAL (
          SELECT u.*, sum(u.bytes) OVER (ORDER BY u.at_rev) - u.bytes AS bytes_before
            FROM (
              SELECT m.rev AS at_rev, NULL::timestamptz AS at_ts, NULL::bigint AS actor_id,
                     NULL::text AS kind, NULL::jsonb AS data,
                     NULL::bigint AS left_id, NULL::text AS left_reason,
                     coalesce(octet_length(m.body), 0) AS bytes, m.*
                FROM message m
               WHERE m.room_id = $1 AND m.seq > s.low_seq AND m.seq <= s.high_seq
              UNION ALL
              SELECT c.rev, c.ts, c.actor_id, c.kind, c.data, c.left_id, c.left_reason,
                     coalesce(octet_length(m.body), 0) + octet_length(c.data::text), m.*
                FROM room_change c
                LEFT JOIN message m ON c.kind = 'message.edited'
                                   AND m.room_id = c.room_id AND m.seq = (c.data ->> 'seq')::bigint
               WHERE c.room_id = $1 AND c.rev > s.low AND c.rev <= s.high) u) e
         ON e.bytes_before < $4
       ORDER BY e.at_rev\
      """;

  private static final String POSITIONS =
      """
      SELECT i.epoch, p.room_id, p.last_seq, p.last_rev
        FROM instance i LEFT JOIN room_position p ON p.room_id = ANY ($1)\
      """;

  private final Database database;
  private final BatchedRead<RoomId, Positions> positions;

  public EventStore(Database database) {
    this.database = database;
    this.positions = new BatchedRead<>(MOST_ROOMS_WAITING, this::readPositions);
  }

  /// The events with `after < rev`, in order, at most `limit` and no more than reach [#PAGE_BYTES],
  /// contiguous from `after + 1`; all of one snapshot. Refusals: `not_found`.
  public Future<EventPage> read(RoomId room, Rev after, int limit) {
    return database
        .client()
        .preparedQuery(READ)
        .execute(Tuple.of(room.value(), after.value(), limit, PAGE_BYTES))
        .map(rows -> page(room, after, rows))
        .onSuccess(page -> database.epochs().saw(page.epoch()));
  }

  /// Reads where rooms stand. One statement serves all calls made at the same time. Rooms that do
  /// not exist are left out. Refusals: `unavailable` when too many wait.
  public Future<Positions> positions(List<RoomId> rooms) {
    Set<RoomId> wanted = new HashSet<>(rooms);
    return positions
        .read(wanted)
        .map(
            all ->
                new Positions(
                    all.epoch(),
                    all.rooms().stream().filter(found -> wanted.contains(found.room())).toList()));
  }

  private Future<Positions> readPositions(List<RoomId> rooms) {
    Long[] ids = rooms.stream().map(RoomId::value).toArray(Long[]::new);
    return database
        .client()
        .preparedQuery(POSITIONS)
        .execute(Tuple.tuple().addValue(ids))
        .map(
            rows -> {
              Epoch epoch = new Epoch(rows.iterator().next().getLong("epoch"));
              List<RoomPosition> found = new ArrayList<>(rows.size());
              for (Row row : rows) {
                if (row.getLong("room_id") != null) {
                  found.add(position(row));
                }
              }
              return new Positions(epoch, found);
            })
        .onSuccess(read -> database.epochs().saw(read.epoch()));
  }

  private static RoomPosition position(Row row) {
    return new RoomPosition(
        new RoomId(row.getLong("room_id")),
        new Seq(row.getLong("last_seq")),
        new Rev(row.getLong("last_rev")));
  }

  private static EventPage page(RoomId room, Rev after, RowSet<Row> rows) {
    if (rows.size() == 0) {
      throw Refusal.noSuchRoom();
    }
    Row first = rows.iterator().next();
    Epoch epoch = new Epoch(first.getLong("epoch"));
    Rev head = new Rev(first.getLong("last_rev"));
    if (first.getLong("at_rev") == null) {
      return new EventPage(room, epoch, List.of(), head);
    }
    MessageColumns messages = MessageColumns.of(rows);
    int kind = rows.columnsNames().indexOf("kind");
    List<Event> events = new ArrayList<>(rows.size());
    Rev last = after;
    for (Row row : rows) {
      Event event = event(room, epoch, row, row.getString(kind), messages);
      if (!event.rev().equals(last.next())) {
        throw new IllegalStateException(
            "room " + room + " has no rev " + last.next() + " but " + event.rev());
      }
      last = event.rev();
      events.add(event);
    }
    return new EventPage(room, epoch, events, head);
  }

  private static Event event(
      RoomId room, Epoch epoch, Row row, @Nullable String kind, MessageColumns messages) {
    if (kind == null) {
      return messages.event(row, epoch);
    }
    if (kind.equals("message.edited")) {
      return Event.of(
          ChangeColumns.stamp(room, epoch, row),
          new RoomChange.MessageEdited(
              messages.read(row), row.getJsonObject("data").containsKey("recounts")));
    }
    return ChangeColumns.event(room, epoch, row);
  }
}
