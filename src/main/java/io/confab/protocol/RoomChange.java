package io.confab.protocol;

/// A numbered change of a room that is not a message: what a `room.event` tells.
public sealed interface RoomChange {
  /// The kind on the wire and in the table `room_change`.
  String kind();

  record MemberJoined(AccountId accountId) implements RoomChange {
    @Override
    public String kind() {
      return "member.joined";
    }
  }

  record MemberLeft(AccountId accountId, LeaveReason reason) implements RoomChange {
    @Override
    public String kind() {
      return "member.left";
    }
  }

  /// Many joins and leaves told as one.
  ///
  /// @param revFrom the first rev that it covers
  /// @param joined number of people
  /// @param left number of people
  record Members(Rev revFrom, int joined, int left) implements RoomChange {
    @Override
    public String kind() {
      return "members";
    }
  }

  /// @param message as it stands when this is told, which may be later than this change
  record MessageEdited(Message message) implements RoomChange {
    @Override
    public String kind() {
      return "message.edited";
    }
  }

  record MessageDeleted(Seq seq, AccountId deletedBy) implements RoomChange {
    @Override
    public String kind() {
      return "message.deleted";
    }
  }

  /// The last change of a room.
  record Archived() implements RoomChange {
    @Override
    public String kind() {
      return "room.archived";
    }
  }
}
