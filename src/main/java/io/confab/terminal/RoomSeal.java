package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.client.RoomUpdate;
import io.confab.client.sealed.KnownSeal;
import io.confab.protocol.Seq;
import io.confab.protocol.Suite;
import java.util.Optional;

/// How a room is sealed.
///
/// @param suite as the server names it
/// @param from the first number under which nothing plain stands
record RoomSeal(String suite, Seq from) {
  static Optional<RoomSeal> of(ChatRoom room) {
    return Optional.ofNullable(room.encryption())
        .map(seal -> new RoomSeal(seal.suite(), seal.fromSeq()));
  }

  static RoomSeal of(RoomUpdate.RoomSealed event) {
    return new RoomSeal(event.suite(), event.fromSeq());
  }

  /// Of a room that was sealed once: it stays so, whatever a server says.
  static RoomSeal of(KnownSeal known) {
    return new RoomSeal(known.suite(), known.from());
  }

  KnownSeal known() {
    return new KnownSeal(suite, from);
  }

  /// The same, and from where it is known to be sealed, whatever a server says later.
  RoomSeal since(Seq known) {
    return known.compareTo(from) < 0 ? new RoomSeal(suite, known) : this;
  }

  /// Whether this program can seal and open what is said there.
  boolean isKnown() {
    return suite.equals(Suite.OLM1.wire());
  }

  /// Whether what stands under this number had to be sealed.
  boolean covers(Seq seq) {
    return seq.compareTo(from) >= 0;
  }
}
