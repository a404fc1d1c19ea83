package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Notes what the hub tells it.
final class RecordingLoop implements RoomListener, AccountListener, QueueListener {
  final List<String> told = new CopyOnWriteArrayList<>();
  int calls;

  @Override
  public void events(List<Event> events) {
    calls++;
    events.forEach(event -> told.add("event " + event.rev()));
  }

  @Override
  public void signal(RoomSignal signal) {
    told.add("signal of room " + signal.room().value());
  }

  @Override
  public void signal(AccountSignal signal) {
    told.add("signal " + signal.account().value());
  }

  @Override
  public void moved(RoomId room, Rev rev) {
    told.add("moved " + room.value() + " to " + rev);
  }

  @Override
  public void look(RoomId room) {
    told.add("look " + room.value());
  }

  @Override
  public void queued(List<QueuedSend> sends) {
    sends.forEach(send -> told.add("queued " + send.number()));
  }

  @Override
  public void queuedUpTo(RoomId room, long number) {
    told.add("queued up to " + number);
  }

  void compareAll() {
    told.add("compare all");
  }

  @Override
  public void listening(AccountId account) {
    told.add("listening account " + account.value());
  }
}
