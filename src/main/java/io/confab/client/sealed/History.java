package io.confab.client.sealed;

import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What this device keeps of sealed rooms, for its person. Lines that are held are not in it.
public final class History {
  private final SealedStore store;
  private final Lines lines;

  History(SealedStore store, Lines lines) {
    this.store = store;
    this.lines = lines;
  }

  /// Remembers that a room is sealed.
  public void sealed(RoomId room, KnownSeal seal) {
    store.change(changes -> lines.sealed(changes, room, seal));
  }

  /// How a room is sealed: it was told, or a line of it was kept. Empty: not, as far as is known.
  public Optional<KnownSeal> seal(RoomId room) {
    return store.transact(changes -> lines.seal(changes, room));
  }

  /// The last lines of a room, oldest first.
  public List<SealedLine> last(RoomId room, int most) {
    return store.transact(changes -> lines.last(changes, room, most));
  }

  /// The last lines of a room before a number, oldest first.
  public List<SealedLine> before(RoomId room, Seq seq, int most) {
    return store.transact(changes -> lines.before(changes, room, seq, most));
  }

  /// The last lines that have all of these words, newest first; words are compared without case.
  ///
  /// @param room null: of all rooms
  public List<SealedLine> search(@Nullable RoomId room, String words, int most) {
    return store.transact(changes -> lines.search(changes, room, words, most));
  }

  /// The person has seen the lines of a room from one number to another: their lifetimes begin.
  public void seen(RoomId room, Seq from, Seq upTo, Instant now) {
    store.change(changes -> lines.seen(changes, room, from, upTo, now));
  }

  /// When the next line is over.
  public Optional<Instant> nextExpiry() {
    return store.transact(lines::nextExpiry);
  }

  /// Removes what is over, from the disk too, and says what that was.
  public List<SealedLine> expire(Instant now) {
    List<SealedLine> over = store.transact(changes -> lines.expire(changes, now));
    if (!over.isEmpty()) {
      store.purge();
    }
    return over;
  }
}
