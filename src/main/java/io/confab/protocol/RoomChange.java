package io.confab.protocol;

import org.jspecify.annotations.Nullable;

/// A numbered change of a room that is not a message: the content of a `room.event`.
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

  /// Many joins and leaves in one event.
  ///
  /// @param revFrom the first rev that it covers
  /// @param joined number of people
  /// @param left number of people
  /// @param person the join or leave, if it is a single one: known to the server, not sent
  record Members(Rev revFrom, int joined, int left, @Nullable RoomChange person)
      implements RoomChange {
    @Override
    public String kind() {
      return "members";
    }
  }

  /// @param message as it stands when this is sent, which may be later than this change
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

  record MemberRole(AccountId accountId, Role role) implements RoomChange {
    @Override
    public String kind() {
      return "member.role";
    }
  }

  /// @param until milliseconds since 1970; absent when it may speak again
  record MemberMuted(AccountId accountId, @Nullable Long until) implements RoomChange {
    @Override
    public String kind() {
      return "member.muted";
    }
  }

  /// @param settings what changed
  record Changed(RoomSettings settings) implements RoomChange {
    @Override
    public String kind() {
      return "room.changed";
    }
  }

  /// The last change of a room, but for memberships that end with their accounts.
  record Archived() implements RoomChange {
    @Override
    public String kind() {
      return "room.archived";
    }
  }
}
