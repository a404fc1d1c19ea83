package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A send that is stored in queues now, on its way to the devices that are there.
///
/// @param room whose channel carries it; null: it has none
/// @param account whose channel carries it, where it has no room
/// @param number of the sends of the room, silent ones too: 1, 2, 3 … without holes; 0 without a
///     room
/// @param tail of `envelope.receive`, which all devices share; nobody may change it
/// @param places where it stands in which queues
public record QueuedSend(
    @Nullable RoomId room,
    @Nullable AccountId account,
    Epoch epoch,
    long number,
    byte[] tail,
    List<Place> places)
    implements RoomPublication {
  /// What an object of each place takes, about.
  private static final int PLACE_BYTES = 80;

  /// The room, which there must be.
  RoomId onRoom() {
    return Objects.requireNonNull(room);
  }

  /// What it takes in memory, about.
  public long bytes() {
    long bodies =
        places.stream().mapToLong(place -> place.body() == null ? 0 : place.body().length()).sum();
    return tail.length + (long) PLACE_BYTES * places.size() + bodies;
  }

  /// @param first whether nothing waited before that its device is to be woken for, and this is
  /// @param cut whether there is a body that was too much to be carried: it is to be read
  /// @param body for this device alone
  public record Place(
      RegistrationId registration,
      QueueSeq seq,
      boolean first,
      boolean cut,
      @Nullable String body) {
    public Place(RegistrationId registration, QueueSeq seq, boolean first, @Nullable String body) {
      this(registration, seq, first, false, body);
    }

    /// Nothing of what only clients understand.
    @Override
    public String toString() {
      return registration + "/" + seq;
    }
  }
}
