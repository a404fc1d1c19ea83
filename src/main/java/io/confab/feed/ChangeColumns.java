package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.WireName;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;

/// Reads changes out of rows of `room_change`, with `at_rev` and `at_ts` for `rev` and `ts`.
public final class ChangeColumns {
  private ChangeColumns() {}

  /// A change that does not carry the state of a message.
  public static Event event(RoomId room, Epoch epoch, Row row) {
    EventFrames.Stamp stamp = stamp(room, epoch, row);
    String kind = row.getString("kind");
    JsonObject data = row.getJsonObject("data");
    return new Event(
        room,
        epoch,
        stamp.rev(),
        subject(kind, stamp.rev(), data, row),
        EventFrames.change(stamp, kind, data.encode()));
  }

  static EventFrames.Stamp stamp(RoomId room, Epoch epoch, Row row) {
    return new EventFrames.Stamp(
        room,
        new Rev(row.getLong("at_rev")),
        epoch,
        new AccountId(row.getLong("actor_id")),
        row.getOffsetDateTime("at_ts").toInstant().toEpochMilli());
  }

  private static Event.Subject subject(String kind, Rev rev, JsonObject data, Row row) {
    return switch (kind) {
      case "member.left" ->
          new Event.Departure(
              AccountId.parse(data.getString("account_id")), reason(data.getString("reason")));
      case "members" -> {
        Long left = row.getLong("left_id");
        yield left == null
            ? new Event.OfRoom()
            : new Event.Departure(new AccountId(left), reason(row.getString("left_reason")));
      }
      case "message.deleted" -> new Event.OfChange(new Seq(data.getLong("seq")), rev, true);
      default -> new Event.OfRoom();
    };
  }

  private static LeaveReason reason(String stored) {
    return WireName.of(LeaveReason.class, stored);
  }
}
