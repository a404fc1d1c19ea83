package io.confab.testing;

import io.confab.feed.Event;
import io.confab.protocol.AccountId;
import io.confab.protocol.EventFrames;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// A change of a room as the functions of the database write it into `room_change`.
///
/// @param data the fields of its kind
public record StoredChange(String kind, JsonObject data, Event.Subject subject) {
  private static StoredChange of(String kind, JsonObject data) {
    return new StoredChange(kind, data, new Event.OfRoom());
  }

  public static StoredChange joined(AccountId account) {
    return of("member.joined", member(account));
  }

  public static StoredChange left(AccountId account, LeaveReason reason) {
    return new StoredChange(
        "member.left",
        member(account).put("reason", reason.wire()),
        new Event.Departure(account, reason));
  }

  /// So many joins and leaves in a big room.
  public static StoredChange members(Rev from, int joined, int left) {
    return of(
        "members",
        new JsonObject().put("rev_from", from.value()).put("joined", joined).put("left", left));
  }

  /// One leave in a big room.
  public static StoredChange oneLeft(Rev from, AccountId account, LeaveReason reason) {
    StoredChange told = members(from, 0, 1);
    return new StoredChange(told.kind(), told.data(), new Event.Departure(account, reason));
  }

  public static StoredChange role(AccountId account, Role role) {
    return of("member.role", member(account).put("role", role.wire()));
  }

  /// @param until absent when it may speak again
  public static StoredChange muted(AccountId account, @Nullable Long until) {
    JsonObject data = member(account);
    return of("member.muted", until == null ? data : data.put("until", until));
  }

  public static StoredChange settings(JsonObject settings) {
    return of("room.changed", new JsonObject().put("settings", settings));
  }

  public static StoredChange archived() {
    return of("room.archived", new JsonObject());
  }

  private static JsonObject member(AccountId account) {
    return new JsonObject().put("account_id", account.toString());
  }

  public byte[] frame(EventFrames.Stamp stamp) {
    return EventFrames.change(stamp, kind, data.encode());
  }

  public Event event(EventFrames.Stamp stamp) {
    return new Event(stamp.roomId(), stamp.epoch(), stamp.rev(), subject, frame(stamp));
  }
}
