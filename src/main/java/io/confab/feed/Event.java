package io.confab.feed;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;

/// A numbered change of a room, encoded once for everybody.
///
/// @param frame the frame that sessions get, JSON in UTF-8; nobody may change it
public record Event(RoomId room, Epoch epoch, Rev rev, Subject subject, byte[] frame)
    implements RoomPublication {
  private static final int OVERHEAD = 200;

  /// What an event is about, as far as its delivery depends on it.
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = OfMessage.class, name = "message"),
    @JsonSubTypes.Type(value = OfChange.class, name = "change"),
    @JsonSubTypes.Type(value = OfSealed.class, name = "sealed"),
    @JsonSubTypes.Type(value = Departure.class, name = "departure"),
    @JsonSubTypes.Type(value = OfRoom.class, name = "room")
  })
  public sealed interface Subject {}

  /// An event that carries the state of a message.
  public sealed interface AboutMessage extends Subject {
    Seq seq();

    /// The rev that brought the message into the state that is told: of two states the one with
    /// the higher version is the newer.
    Rev version();
  }

  /// A message was sent. An event that is read late may carry a later state.
  public record OfMessage(Seq seq, Rev version) implements AboutMessage {}

  /// A message was edited or deleted. As above.
  ///
  /// @param recounts whether members may have more or less unread by it
  public record OfChange(Seq seq, Rev version, boolean recounts) implements AboutMessage {}

  /// A message was sent that only the devices of members can read; they get it by their queues.
  public record OfSealed(Seq seq) implements Subject {}

  /// A membership ends with this event, whether or not its frame says whose: sessions of the
  /// account get `room.removed` instead of it.
  public record Departure(AccountId account, LeaveReason reason) implements Subject {}

  /// Anything else.
  public record OfRoom() implements Subject {}

  /// What it takes in memory, about.
  public int bytes() {
    return OVERHEAD + frame.length;
  }

  /// The frame for those who may not see the event: its number alone.
  public byte[] hiddenFrame() {
    return EventFrames.hidden(room, rev, epoch);
  }

  /// A message that was stored, in the state that is given.
  public static Event of(Message message, Epoch epoch) {
    return new Event(
        message.roomId(),
        epoch,
        message.rev(),
        new OfMessage(message.seq(), message.version()),
        EventFrames.message(message, epoch));
  }

  /// A sealed message that was stored.
  public static Event sealed(EventFrames.Stamp stamp, Seq seq) {
    return new Event(
        stamp.roomId(),
        stamp.epoch(),
        stamp.rev(),
        new OfSealed(seq),
        EventFrames.sealed(stamp, seq));
  }

  /// A change of a message.
  public static Event of(EventFrames.Stamp stamp, RoomChange change) {
    return new Event(
        stamp.roomId(),
        stamp.epoch(),
        stamp.rev(),
        subject(stamp.rev(), change),
        EventFrames.change(stamp, change));
  }

  private static Subject subject(Rev rev, RoomChange change) {
    return switch (change) {
      case RoomChange.MessageEdited(var message, var recounts) ->
          new OfChange(message.seq(), message.version(), recounts);
      case RoomChange.MessageDeleted(var seq, _) -> new OfChange(seq, rev, true);
    };
  }
}
