package io.confab.feed;

import io.confab.feed.Digest.Contents;
import io.confab.feed.Digest.Moved;
import io.confab.feed.Digest.Sends;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What was announced on this node since the last digest. Thread-safe, bounded: of what is
/// beyond its bounds it keeps only that there was more.
public final class DigestLog {
  private static final int MOST_DIGESTS = 10;
  static final int MOST_ROOMS = MOST_DIGESTS * Digest.MOST_ROOMS;
  static final int MOST_SIGNALS = MOST_DIGESTS * Digest.MOST_SIGNALS;

  private final int mostRooms;
  private final int mostSignals;
  private Map<RoomId, Rev> moved = new HashMap<>();
  private Map<RoomId, Long> sends = new HashMap<>();
  private Epoch sendsEpoch = new Epoch(0);
  private Set<AccountSignal> pending = new LinkedHashSet<>();
  private boolean more;

  public DigestLog() {
    this(Digest.MOST_ROOMS, Digest.MOST_SIGNALS);
  }

  /// @param mostRooms of one digest
  /// @param mostSignals of one digest
  public DigestLog(int mostRooms, int mostSignals) {
    this.mostRooms = mostRooms;
    this.mostSignals = mostSignals;
  }

  synchronized void moved(List<Event> events) {
    events.forEach(event -> moved(event.room(), event.rev()));
  }

  synchronized void moved(RoomId room, Rev rev) {
    if (moved.size() < MOST_DIGESTS * mostRooms || moved.containsKey(room)) {
      moved.merge(room, rev, (a, b) -> b.isAfter(a) ? b : a);
    } else {
      more = true;
    }
  }

  /// The room has had so many sends to queues. Each epoch has numbers of its own.
  synchronized void queued(RoomId room, Epoch epoch, long number) {
    if (epoch.isAfter(sendsEpoch)) {
      dropSends();
      sendsEpoch = epoch;
    }
    if (!epoch.equals(sendsEpoch)) {
      more = true;
    } else if (sends.size() < MOST_DIGESTS * mostRooms || sends.containsKey(room)) {
      sends.merge(room, number, Math::max);
    } else {
      more = true;
    }
  }

  synchronized void signalled(List<AccountSignal> signals) {
    for (AccountSignal signal : signals) {
      if (pending.size() < MOST_DIGESTS * mostSignals || pending.contains(signal)) {
        pending.add(signal);
      } else {
        more = true;
      }
    }
  }

  /// Something is to be told of which only this is known: everybody compares.
  synchronized void untold() {
    more = true;
  }

  /// Takes out what is to be told now, in as many digests as it needs; the last one says whether
  /// there was more.
  ///
  /// @param epoch of the digests; of sends of another one only that they were is told
  synchronized List<Contents> parts(Epoch epoch) {
    if (!epoch.equals(sendsEpoch)) {
      dropSends();
    }
    return drain().parts(mostRooms, mostSignals);
  }

  private void dropSends() {
    more |= !sends.isEmpty();
    sends = new HashMap<>();
  }

  /// Takes out what is to be told now.
  synchronized Contents drain() {
    List<Moved> rooms = new ArrayList<>(moved.size());
    moved.forEach((room, rev) -> rooms.add(new Moved(room, rev)));
    List<Sends> queued = new ArrayList<>(sends.size());
    sends.forEach((room, number) -> queued.add(new Sends(room, number)));
    Contents contents = new Contents(rooms, List.copyOf(pending), queued, more);
    moved = new HashMap<>();
    sends = new HashMap<>();
    pending = new LinkedHashSet<>();
    more = false;
    return contents;
  }
}
