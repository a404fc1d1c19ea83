package io.confab.feed;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Bounds the bytes of all events that the feeds of one event loop remember or hold: when there are
/// too many, the feeds that took in nothing for longest give up theirs. Belongs to the loop.
final class FeedMemory {
  private final long most;

  /// What the feeds have, the coldest first.
  private final Map<RoomFeed, Long> kept = new LinkedHashMap<>();

  private long bytes;

  FeedMemory(long most) {
    this.most = most;
  }

  /// The feed has so many bytes now, and is the warmest.
  void keeps(RoomFeed feed, long now) {
    forget(feed);
    kept.put(feed, now);
    bytes += now;
    Iterator<Map.Entry<RoomFeed, Long>> coldest = kept.entrySet().iterator();
    while (bytes > most) {
      Map.Entry<RoomFeed, Long> shed = coldest.next();
      bytes -= shed.getValue();
      coldest.remove();
      shed.getKey().giveUp();
    }
  }

  void forget(RoomFeed feed) {
    Long before = kept.remove(feed);
    bytes -= before == null ? 0 : before;
  }

  long bytes() {
    return bytes;
  }
}
