package io.confab.feed;

import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.RoomPosition;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.EventFrames;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the numbered log of rooms: messages and changes, merged by rev.
///
/// There is no index of messages by rev. Every rev is a message or a change, and a change tells
/// how many messages there were; so the last change at or before a rev gives the seq there:
/// its `last_seq` and one for each rev since. A page costs what it holds, however long the room is.
public final class EventStore {
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
          SELECT m.rev, m.ts, m.sender_id AS actor_id, NULL::text AS kind, NULL::jsonb AS data,
                 m.room_id, m.seq, m.sender_id, m.client_id, m.msg_type, m.body, m.reply_to, m.topic
            FROM message m
           WHERE m.room_id = $1 AND m.seq > s.low_seq AND m.seq <= s.high_seq
          UNION ALL
          SELECT c.rev, c.ts, c.actor_id, c.kind, c.data,
                 NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM room_change c
           WHERE c.room_id = $1 AND c.rev > s.low AND c.rev <= s.high) e ON true
       ORDER BY e.rev""";

  private static final String POSITIONS =
      """
      SELECT i.epoch, p.room_id, p.last_seq, p.last_rev
        FROM instance i LEFT JOIN room_position p ON p.room_id = ANY ($1)""";

  private final Database database;
  private final BatchedRead<RoomId, Positions> positions;

  public EventStore(Database database) {
    this.database = database;
    this.positions = new BatchedRead<>(MOST_ROOMS_WAITING, this::readPositions);
  }

  /// The events with `after < rev`, in order, at most `limit`, contiguous from `after + 1`; all of
  /// one snapshot. Refusals: `not_found`.
  public Future<EventPage> read(RoomId room, Rev after, int limit) {
    return database
        .client()
        .preparedQuery(READ)
        .execute(Tuple.of(room.value(), after.value(), limit))
        .map(rows -> page(room, after, rows));
  }

  /// Where rooms stand, in one statement for all who ask at the same time. Rooms that do not exist
  /// are left out. Refusals: `unavailable` when too many wait.
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
            });
  }

  private static RoomPosition position(Row row) {
    return new RoomPosition(
        new RoomId(row.getLong("room_id")),
        new Seq(row.getLong("last_seq")),
        new Rev(row.getLong("last_rev")));
  }

  private static EventPage page(RoomId room, Rev after, RowSet<Row> rows) {
    if (rows.size() == 0) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such room");
    }
    Row first = rows.iterator().next();
    Epoch epoch = new Epoch(first.getLong("epoch"));
    Rev head = new Rev(first.getLong("last_rev"));
    if (first.getLong("rev") == null) {
      return new EventPage(room, List.of(), head);
    }
    List<Event> events = new ArrayList<>(rows.size());
    Rev last = after;
    for (Row row : rows) {
      Event event = event(room, epoch, row);
      if (!event.rev().equals(last.next())) {
        throw new IllegalStateException(
            "room " + room + " has no rev " + last.next() + " but " + event.rev());
      }
      last = event.rev();
      events.add(event);
    }
    return new EventPage(room, events, head);
  }

  private static Event event(RoomId room, Epoch epoch, Row row) {
    String kind = row.getString("kind");
    if (kind == null) {
      return Event.of(message(row), epoch);
    }
    JsonObject data = row.getJsonObject("data");
    var stamp =
        new EventFrames.Stamp(
            room,
            new Rev(row.getLong("rev")),
            epoch,
            new AccountId(row.getLong("actor_id")),
            row.getOffsetDateTime("ts").toInstant().toEpochMilli());
    return new Event(
        room,
        epoch,
        stamp.rev(),
        departure(kind, data),
        EventFrames.change(stamp, kind, data.encode()));
  }

  private static Event.@Nullable Departure departure(String kind, JsonObject data) {
    if (!kind.equals("member.left")) {
      return null;
    }
    return new Event.Departure(
        AccountId.parse(data.getString("account_id")),
        LeaveReason.valueOf(data.getString("reason").toUpperCase(Locale.ROOT)));
  }

  /// A row with the columns of the table `message`.
  public static Message message(Row row) {
    Long replyTo = row.getLong("reply_to");
    return new Message(
        new RoomId(row.getLong("room_id")),
        new Seq(row.getLong("seq")),
        new Rev(row.getLong("rev")),
        new AccountId(row.getLong("sender_id")),
        new ClientId(row.getString("client_id")),
        MessageType.valueOf(row.getString("msg_type").toUpperCase(Locale.ROOT)),
        row.getString("body"),
        replyTo == null ? null : new Seq(replyTo),
        row.getString("topic"),
        row.getOffsetDateTime("ts").toInstant().toEpochMilli());
  }
}
