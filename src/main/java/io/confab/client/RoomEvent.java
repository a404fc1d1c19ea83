package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.client.RoomUpdate.Change;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.Optional;

/// A numbered change of a room, read from its frame.
///
/// @param from the first rev that it covers; most cover one
record RoomEvent(RoomId room, Epoch epoch, Rev from, Rev rev, JsonNode frame) {

  static RoomEvent read(JsonNode frame) {
    Rev rev = new Rev(frame.path("rev").asLong());
    return new RoomEvent(
        RoomId.parse(frame.path("room_id").asText()),
        new Epoch(frame.path("epoch").asLong()),
        new Rev(frame.path("rev_from").asLong(rev.value())),
        rev,
        frame);
  }

  boolean isMessage() {
    return frame.path("type").asText().equals("message.receive");
  }

  /// The update for the program; empty when only the number counts.
  Optional<RoomUpdate> update() {
    if (isMessage()) {
      return Optional.of(new RoomUpdate.Said(ClientJson.read(frame, ChatMessage.class)));
    }
    return switch (frame.path("kind").asText()) {
      case "hidden" -> Optional.empty();
      case "message.edited" ->
          Optional.of(
              new RoomUpdate.Edited(ClientJson.read(frame.path("message"), ChatMessage.class)));
      case "message.deleted" ->
          Optional.of(
              new RoomUpdate.Deleted(
                  change(), new Seq(frame.path("seq").asLong()), account("deleted_by")));
      case "member.joined" ->
          Optional.of(new RoomUpdate.MemberJoined(change(), account("account_id")));
      case "member.left" ->
          Optional.of(
              new RoomUpdate.MemberLeft(
                  change(), account("account_id"), frame.path("reason").asText()));
      case "members" ->
          Optional.of(
              new RoomUpdate.MembersChanged(
                  change(), frame.path("joined").asInt(), frame.path("left").asInt()));
      case "sealed" ->
          Optional.of(new RoomUpdate.Sealed(change(), new Seq(frame.path("seq").asLong())));
      case "room.changed" -> Optional.of(changed(frame.path("settings")));
      case "room.archived" -> Optional.of(new RoomUpdate.Archived(change()));
      default -> Optional.of(other());
    };
  }

  /// Settings besides those of a sealed room have no record of their own.
  private RoomUpdate changed(JsonNode settings) {
    JsonNode sealed = settings.path("encryption");
    JsonNode lasting = settings.path("expires_in_s");
    Integer expires = lasting.isInt() ? Integer.valueOf(lasting.intValue()) : null;
    if (sealed.isObject()) {
      Seq from = new Seq(sealed.path("from_seq").asLong());
      return new RoomUpdate.RoomSealed(change(), sealed.path("suite").asText(), from, expires);
    }
    return expires == null ? other() : new RoomUpdate.ExpirySet(change(), expires);
  }

  private RoomUpdate other() {
    return new RoomUpdate.Other(change(), frame.path("kind").asText(), frame.toString());
  }

  private Change change() {
    return new Change(room, rev, account("actor_id"), frame.path("ts").asLong());
  }

  private AccountId account(String field) {
    return AccountId.parse(frame.path(field).asText());
  }
}
