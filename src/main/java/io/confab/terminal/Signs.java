package io.confab.terminal;

import io.confab.client.RoomSignal;

/// What the others do with what one says: who has it, and who answers just now. For any thread.
record Signs(Receipts receipts, Typers typers) {
  Signs() {
    this(new Receipts(), new Typers());
  }

  /// Whether the signal tells something new.
  boolean take(RoomSignal signal) {
    return switch (signal) {
      case RoomSignal.Delivered delivered -> receipts.delivered(delivered);
      case RoomSignal.Read read -> receipts.read(read);
      case RoomSignal.Typing typing -> typers.changed(typing);
      case RoomSignal.Unread _ -> true;
      case RoomSignal.Marker _,
          RoomSignal.Arrived _,
          RoomSignal.Undelivered _,
          RoomSignal.OfSeat _ ->
          false;
    };
  }
}
