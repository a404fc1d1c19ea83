package io.confab.room;

import io.confab.feed.Event;
import io.confab.feed.Event.Departure;
import io.confab.protocol.Epoch;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.Archived;
import io.confab.protocol.RoomChange.MemberJoined;
import io.confab.protocol.RoomChange.MemberLeft;
import io.confab.protocol.RoomChange.Members;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// The frame `room.event` of the protocol.
final class RoomEventFrame {
  private RoomEventFrame() {}

  static Event event(NumberedChange numbered, Epoch epoch) {
    JsonObject frame =
        new JsonObject()
            .put("type", "room.event")
            .put("room_id", numbered.room().toString())
            .put("rev", numbered.rev().value())
            .put("epoch", epoch.value())
            .put("kind", numbered.change().kind())
            .put("actor_id", numbered.actor().toString())
            .put("ts", numbered.ts())
            .mergeIn(fields(numbered.change()));
    return new Event(
        numbered.room(),
        epoch,
        numbered.rev(),
        departure(numbered.change()),
        frame.toBuffer().getBytes());
  }

  /// The fields of one kind, as they also stand in `room_change.data`.
  static JsonObject fields(RoomChange change) {
    return switch (change) {
      case MemberJoined(var account) -> new JsonObject().put("account_id", account.toString());
      case MemberLeft(var account, var reason) ->
          new JsonObject().put("account_id", account.toString()).put("reason", reason.wire());
      case Members(var revFrom, var joined, var left) ->
          new JsonObject().put("rev_from", revFrom.value()).put("joined", joined).put("left", left);
      case Archived() -> new JsonObject();
    };
  }

  private static @Nullable Departure departure(RoomChange change) {
    return switch (change) {
      case MemberLeft(var account, var reason) -> new Departure(account, reason);
      case MemberJoined _, Members _, Archived _ -> null;
    };
  }
}
