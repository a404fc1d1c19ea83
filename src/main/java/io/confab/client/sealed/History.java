package io.confab.client.sealed;

import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What this device keeps of sealed rooms, for its person. Lines that are held are not in it.
public final class History {
  private static final String REMAINS = "remains";
  private static final Duration PURGES_APART = Duration.ofSeconds(5);

  private final SealedStore store;
  private final Lines lines;
  private Instant purgeable = Instant.EPOCH;

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

  /// When the next line is over, or the file is to be freed of those that are.
  public Optional<Instant> nextExpiry() {
    Optional<Instant> next = store.transact(lines::nextExpiry);
    return store.get(REMAINS).isEmpty()
        ? next
        : Optional.of(next.filter(purgeable::isAfter).orElse(purgeable));
  }

  /// Removes what is over, and says what that was. It goes from the disk too, which takes writing
  /// all that stays and is done once in some seconds; who is killed before it does it then.
  public List<SealedLine> expire(Instant now) {
    List<SealedLine> over =
        store.transact(
            changes -> {
              List<SealedLine> removed = lines.expire(changes, now);
              if (!removed.isEmpty()) {
                changes.put(REMAINS, new byte[0]);
              }
              return removed;
            });
    if (store.get(REMAINS).isPresent() && !now.isBefore(purgeable)) {
      purgeable = now.plus(PURGES_APART);
      store.purge();
      store.change(changes -> changes.remove(REMAINS));
    }
    return over;
  }
}
