package io.confab.feed;

import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
import io.confab.time.Timing;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Gathers what is announced before it goes into the recent window, which nobody waits for: some
/// together cost Redis and this node half of what they cost one by one (docs/performance.md). A
/// read on this node sees them; one on another node meanwhile finds the newest missing and asks
/// the database. For any thread.
public final class GatheredEvents implements RecentEvents {
  static final Duration DELAY = Duration.ofMillis(100);

  /// More at once would keep an event loop for too long.
  static final int MOST_CALLS = 32;

  static final int MOST_BYTES = 256 << 10;

  private final RecentEvents window;
  private final Timing timing;
  private List<List<SealedEvent>> waiting = new ArrayList<>();
  private int bytes;

  public GatheredEvents(RecentEvents window, Timing timing) {
    this.window = window;
    this.timing = timing;
  }

  @Override
  public int size() {
    return window.size();
  }

  @Override
  public void add(List<SealedEvent> events) {
    boolean isFirst;
    boolean isFull;
    synchronized (this) {
      isFirst = waiting.isEmpty();
      waiting.add(events);
      bytes += events.stream().mapToInt(event -> event.bytes().length).sum();
      isFull = waiting.size() >= MOST_CALLS || bytes >= MOST_BYTES;
    }
    if (isFull) {
      pass();
    } else if (isFirst) {
      timing.pause(DELAY).onComplete(_ -> pass());
    }
  }

  /// Passes on what waits: each call as it came, because what an edit does to the window depends on
  /// what it comes with.
  void pass() {
    List<List<SealedEvent>> gathered;
    synchronized (this) {
      gathered = waiting;
      waiting = new ArrayList<>();
      bytes = 0;
    }
    window.addAll(gathered);
  }

  @Override
  public Future<List<Event>> read(RoomId room, Span span, Epoch epoch) {
    pass();
    return window.read(room, span, epoch);
  }
}
