package io.confab.feed;

import io.confab.feed.Digest.Contents;
import io.confab.feed.Digest.Moved;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What was announced on this node since the last digest. Thread-safe, bounded: of what is
/// beyond its bounds it keeps only that there was more.
///
/// A change in doubt, whose outcome is unknown, is published twice: at once, and when it must be
/// over.
public final class DigestLog {
  private static final int MOST_DIGESTS = 10;
  static final int MOST_ROOMS = MOST_DIGESTS * Digest.MOST_ROOMS;
  static final int MOST_SIGNALS = MOST_DIGESTS * Digest.MOST_SIGNALS;
  static final int MOST_IN_DOUBT = Digest.MOST_ROOMS;

  private final int drainsInDoubt;
  private final ArrayDeque<InDoubt> changesInDoubt = new ArrayDeque<>();
  private Map<RoomId, Rev> moved = new HashMap<>();
  private Set<RoomId> inDoubt = new LinkedHashSet<>();
  private Set<AccountSignal> pending = new LinkedHashSet<>();
  private Set<AccountSignal> unheard = new LinkedHashSet<>();
  private boolean more;
  private long drains;
  private long moreAt = Long.MAX_VALUE;

  private record InDoubt(long overAt, Optional<RoomId> room, List<AccountSignal> signals) {}

  /// @param drainsInDoubt after how many digests a change under way must be over
  public DigestLog(int drainsInDoubt) {
    this.drainsInDoubt = drainsInDoubt;
  }

  synchronized void moved(List<Event> events) {
    for (Event event : events) {
      if (moved.size() < MOST_ROOMS || moved.containsKey(event.room())) {
        moved.merge(event.room(), event.rev(), (a, b) -> b.isAfter(a) ? b : a);
      } else {
        more = true;
      }
    }
  }

  synchronized void signalled(List<AccountSignal> signals) {
    for (AccountSignal signal : signals) {
      if (pending.size() < MOST_SIGNALS || pending.contains(signal)) {
        pending.add(signal);
      } else {
        more = true;
      }
    }
  }

  /// Something may have been committed in the room, and these signals be due.
  void inDoubt(RoomId room, List<AccountSignal> signals) {
    inDoubt(Optional.of(room), signals);
  }

  /// These signals may be due.
  void inDoubt(List<AccountSignal> signals) {
    inDoubt(Optional.empty(), signals);
  }

  private synchronized void inDoubt(Optional<RoomId> room, List<AccountSignal> signals) {
    tell(room, signals);
    if (changesInDoubt.size() < MOST_IN_DOUBT) {
      changesInDoubt.add(new InDoubt(drains + drainsInDoubt, room, signals));
    } else {
      moreAt = drains + drainsInDoubt;
    }
  }

  private void tell(Optional<RoomId> room, List<AccountSignal> signals) {
    if (room.isEmpty()) {
      signals.stream().limit(MOST_SIGNALS - unheard.size()).forEach(unheard::add);
    } else if (inDoubt.size() < MOST_IN_DOUBT || inDoubt.contains(room.get())) {
      inDoubt.add(room.get());
    } else {
      more = true;
    }
    signalled(signals);
  }

  /// Takes out the signals in doubt of no room, which this node has not got itself.
  synchronized List<AccountSignal> takeUnheard() {
    List<AccountSignal> taken = List.copyOf(unheard);
    unheard = new LinkedHashSet<>();
    return taken;
  }

  /// Takes out what is to be told now.
  synchronized Contents drain() {
    drains++;
    for (InDoubt next = changesInDoubt.peek();
        next != null && next.overAt() < drains;
        next = changesInDoubt.peek()) {
      changesInDoubt.remove();
      tell(next.room(), next.signals());
    }
    if (moreAt < drains) {
      more = true;
      moreAt = Long.MAX_VALUE;
    }
    List<Moved> rooms = new ArrayList<>(moved.size());
    moved.forEach((room, rev) -> rooms.add(new Moved(room, rev)));
    Contents contents = new Contents(rooms, List.copyOf(inDoubt), List.copyOf(pending), more);
    moved = new HashMap<>();
    inDoubt = new LinkedHashSet<>();
    pending = new LinkedHashSet<>();
    more = false;
    return contents;
  }
}
