package io.confab.protocol;

/// A change of a message: the content of a `room.event`. All other kinds stand in the table
/// `room_change` as they are told.
public sealed interface RoomChange {
  /// The kind on the wire and in the table.
  String kind();

  /// @param message as it stands when this is sent, which may be later than this change
  /// @param recounts whether it mentions others than before
  record MessageEdited(Message message, boolean recounts) implements RoomChange {
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
}
