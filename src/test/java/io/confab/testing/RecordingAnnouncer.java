package io.confab.testing;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.protocol.RoomId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Keeps all announcements, in the order in which they came.
public final class RecordingAnnouncer implements Announcer {
  public final List<Event> events = new CopyOnWriteArrayList<>();
  public final List<RoomId> roomsInDoubt = new CopyOnWriteArrayList<>();
  public final List<AccountSignal> signals = new CopyOnWriteArrayList<>();

  @Override
  public void announce(List<Event> announced) {
    events.addAll(announced);
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
  public void inDoubt(List<AccountSignal> maybe) {
    signals.addAll(maybe);
  }

  @Override
  public void inDoubt(RoomId room, List<AccountSignal> maybe) {
    roomsInDoubt.add(room);
    signals.addAll(maybe);
  }
}
