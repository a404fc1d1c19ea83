package io.confab.testing;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.feed.QueuedSend;
import io.confab.feed.RoomSignal;
import io.confab.feed.Undelivered;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Keeps all announcements, in the order in which they came.
public final class RecordingAnnouncer implements Announcer {
  public final List<Event> events = new CopyOnWriteArrayList<>();
  public final Map<RoomId, Rev> moved = new ConcurrentHashMap<>();
  public final List<AccountSignal> signals = new CopyOnWriteArrayList<>();
  public final List<RoomSignal> roomSignals = new CopyOnWriteArrayList<>();
  public final List<QueuedSend> queued = new CopyOnWriteArrayList<>();
  public final List<Undelivered> undelivered = new CopyOnWriteArrayList<>();

  /// How often everybody was to look.
  public final AtomicInteger untold = new AtomicInteger();

  @Override
  public void untold() {
    untold.incrementAndGet();
  }

  @Override
  public void queued(List<QueuedSend> sends) {
    queued.addAll(sends);
  }

  @Override
  public void undelivered(List<Undelivered> lost) {
    undelivered.addAll(lost);
  }

  @Override
  public void announce(List<Event> announced) {
    events.addAll(announced);
  }

  @Override
  public void announce(RoomSignal announced) {
    roomSignals.add(announced);
  }

  @Override
  public void signal(List<AccountSignal> signalled) {
    signals.addAll(signalled);
  }

  @Override
  public void signalOnce(List<AccountSignal> signalled) {
    signals.addAll(signalled);
  }

  @Override
  public void moved(RoomId room, Rev rev) {
    moved.put(room, rev);
  }
}
