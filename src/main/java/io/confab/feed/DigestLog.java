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
/// A doubt, which is a change of unknown outcome, is told twice: at once, and when it must be
/// over.
public final class DigestLog {
  static final int MOST_ROOMS = 5_000;
  static final int MOST_NEWS = 2_000;

  private final int drainsOfDoubt;
  private final ArrayDeque<Doubt> doubts = new ArrayDeque<>();
  private Map<RoomId, Rev> moved = new HashMap<>();
  private Set<RoomId> doubtful = new LinkedHashSet<>();
  private Set<AccountNews> news = new LinkedHashSet<>();
  private Set<AccountNews> unheard = new LinkedHashSet<>();
  private boolean more;
  private long drains;
  private long moreAt = Long.MAX_VALUE;

  private record Doubt(long overAt, Optional<RoomId> room, List<AccountNews> rings) {}

  /// @param drainsOfDoubt after how many digests a change under way must be over
  public DigestLog(int drainsOfDoubt) {
    this.drainsOfDoubt = drainsOfDoubt;
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

  synchronized void rung(List<AccountNews> rings) {
    for (AccountNews ring : rings) {
      if (news.size() < MOST_NEWS || news.contains(ring)) {
        news.add(ring);
      } else {
        more = true;
      }
    }
  }

  /// Something may have been committed in the room, and these doorbells be due.
  void doubt(RoomId room, List<AccountNews> rings) {
    doubt(Optional.of(room), rings);
  }

  /// These doorbells may be due.
  void doubt(List<AccountNews> rings) {
    doubt(Optional.empty(), rings);
  }

  private synchronized void doubt(Optional<RoomId> room, List<AccountNews> rings) {
    tell(room, rings);
    if (doubts.size() < MOST_ROOMS) {
      doubts.add(new Doubt(drains + drainsOfDoubt, room, rings));
    } else {
      moreAt = drains + drainsOfDoubt;
    }
  }

  private void tell(Optional<RoomId> room, List<AccountNews> rings) {
    if (room.isEmpty()) {
      rings.stream().limit(MOST_NEWS - unheard.size()).forEach(unheard::add);
    } else if (doubtful.size() < MOST_ROOMS || doubtful.contains(room.get())) {
      doubtful.add(room.get());
    } else {
      more = true;
    }
    rung(rings);
  }

  /// Takes out the doubtful doorbells of no room, which this node has not heard itself.
  synchronized List<AccountNews> takeUnheard() {
    List<AccountNews> taken = List.copyOf(unheard);
    unheard = new LinkedHashSet<>();
    return taken;
  }

  /// Takes out what is to be told now.
  synchronized Contents drain() {
    drains++;
    for (Doubt next = doubts.peek(); next != null && next.overAt() < drains; next = doubts.peek()) {
      doubts.remove();
      tell(next.room(), next.rings());
    }
    if (moreAt < drains) {
      more = true;
      moreAt = Long.MAX_VALUE;
    }
    List<Moved> rooms = new ArrayList<>(moved.size());
    moved.forEach((room, rev) -> rooms.add(new Moved(room, rev)));
    Contents contents = new Contents(rooms, List.copyOf(doubtful), List.copyOf(news), more);
    moved = new HashMap<>();
    doubtful = new LinkedHashSet<>();
    news = new LinkedHashSet<>();
    more = false;
    return contents;
  }
}
