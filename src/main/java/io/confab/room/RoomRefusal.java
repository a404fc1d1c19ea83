package io.confab.room;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;

/// The refusals of the functions that change rooms, which decide under the lock of the room.
final class RoomRefusal {
  private static final String NO_KEYS = "no_keys ";

  private RoomRefusal() {}

  /// Reads why a function refused.
  static Refusal of(String outcome) {
    if (outcome.startsWith(NO_KEYS)) {
      return new Refusal(
          ErrorCode.CONFLICT,
          "encryption",
          "no device with keys: " + outcome.substring(NO_KEYS.length()));
    }
    return switch (outcome) {
      case "not_found" -> Refusal.noSuchRoom();
      case "forbidden" -> RoomRight.refusal(ErrorCode.FORBIDDEN);
      case "archived" -> RoomRight.refusal(ErrorCode.CONFLICT);
      case "banned" -> RoomRight.refusal(ErrorCode.BANNED);
      case "blocked" -> Restriction.blocked();
      case "room_full" -> new Refusal(ErrorCode.ROOM_FULL, "the room has no place left");
      case "no_account" -> new Refusal(ErrorCode.NOT_FOUND, "no such account");
      case "no_member" -> new Refusal(ErrorCode.NOT_FOUND, "not a member of this room");
      case "account_banned" ->
          new Refusal(ErrorCode.CONFLICT, "the account is banned from this room");
      case "not_banned" -> new Refusal(ErrorCode.NOT_FOUND, "not banned from this room");
      case "last_owner" -> new Refusal(ErrorCode.CONFLICT, "the last owner stays");
      case "is_owner" -> new Refusal(ErrorCode.CONFLICT, "you are the owner");
      case "changed" -> Refusal.changed();
      case "past" -> Refusal.invalidField("until", "is past");
      case "name_taken" -> new Refusal(ErrorCode.CONFLICT, "name", "a channel has this name");
      case "not_sealable" ->
          new Refusal(
              ErrorCode.CONFLICT,
              "encryption",
              "a channel, or a room with a capacity, cannot be sealed");
      case "other_suite" ->
          new Refusal(ErrorCode.CONFLICT, "encryption", "the room is sealed by another suite");
      case "seal_full" ->
          new Refusal(
              ErrorCode.CONFLICT, "a sealed room has 256 members and 1,000 devices at most");
      case "sealed" -> new Refusal(ErrorCode.CONFLICT, "capacity", "the room is sealed");
      case "not_sealed" ->
          new Refusal(ErrorCode.CONFLICT, "expires_in_s", "the room is not sealed");
      case "exists" -> new Refusal(ErrorCode.CONFLICT, "there is such a direct room");
      case "no_invite" -> new Refusal(ErrorCode.NOT_FOUND, "no such invitation");
      case "invite_over" -> new Refusal(ErrorCode.GONE, "the invitation is over");
      case "asked_lately" ->
          new Refusal(ErrorCode.CONFLICT, "the account was asked within the last day");
      case "many_invitations" ->
          new Refusal(ErrorCode.CONFLICT, "the account has too many invitations");
      case "member_invitations" ->
          new Refusal(ErrorCode.CONFLICT, "members", "one of them has too many invitations");
      case "many_invites" -> new Refusal(ErrorCode.CONFLICT, "too many invitations");
      default -> throw new IllegalStateException("the database answered " + outcome);
    };
  }
}
